import BenchmarkStates
import FlaskCore
import FlaskViews

/// The things whose memory is measured, by name. The first one is the state alone.
func kept() -> [(String, () -> AnyObject)] {
  [
    ("the state alone", { StateHolder() }),
    ("a substance", { Flask.newSubstance(definedBy: State10.self) }),
    ("an observer", observer()),
    ("a reactor with its owner", reactorWithOwner()),
    ("1,000 elements", ranking(withView: false)),
    ("1,000 elements and a sorted view", ranking(withView: true)),
  ]
}

private final class StateHolder {
  let state = State10()
}

/// The owner keeps nothing itself.
private final class Owner: FlaskReactor {
  func flaskReactions(reaction: FlaskReaction) {}
}

private func observer() -> () -> AnyObject {
  let substance = Flask.newSubstance(definedBy: State10.self)
  return { substance.observe(\.counter) { _, _ in } }
}

private func reactorWithOwner() -> () -> AnyObject {
  let substance = Flask.newSubstance(definedBy: State10.self)
  return {
    let owner = Owner()
    Flask.attachReactor(to: owner, mixing: substance)
    return owner
  }
}

private struct Ranked: Identifiable, Sendable {
  let id: Int
  var rank: Int
}

private struct Ranking: Sendable { var all: Entities<Ranked> }

private final class ViewHolder {
  let ranking: Substance<Ranking>
  var view: LiveView<Ranked>?
  init(_ ranking: Substance<Ranking>) { self.ranking = ranking }
}

/// A substance of 1,000 elements, of which each has changed, with a view of them or without.
private func ranking(withView: Bool) -> () -> AnyObject {
  {
    let ranking = Substance(
      Ranking(all: Entities((0..<1_000).map { Ranked(id: $0, rank: $0 &* 7919 % 1_000) }))
    )
    let holder = ViewHolder(ranking)
    if withView { holder.view = ranking.view(\.all).sorted { $0.rank } }
    for number in 0..<5_000 {
      ranking.mix { $0.all[id: number % 1_000]?.rank = (number &* 7_727 + number / 1_000) % 1_000 }
      _ = holder.view?.count
    }
    return holder
  }
}
