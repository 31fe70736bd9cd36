@testable import FlaskCore
@testable import KernelFixtures

/// A flux as one would explain it: plain arrays, one thing at a time. Writes down what happens.
final class ScriptModel {
  typealias Values = (counter: Int, hidden: Int)

  private enum Work {
    case action(Script.Action)
    case rollBack(Int)
  }

  private let script: Script
  private var states: [Values] = Array(repeating: (0, 0), count: 3)
  private var points: [Values?] = [nil, nil, nil]
  private var queue = FluxQueueModel()
  private var work: [Work] = []
  private var workLock: [Int: (lock: Int, autorelease: Bool)] = [:]
  private var taken: [Int] = []
  private var held: Set<Int> = []
  private var reactions = 0
  private(set) var log: [String] = []
  private(set) var outcomes: [Int: String] = [:]

  init(_ script: Script) { self.script = script }

  func run() -> String {
    for action in script.actions { submit(action) }
    for lock in taken where held.contains(lock) { release(lock) }
    return log.joined(separator: "\n") + "\n"
      + states.map { "\($0.counter) \($0.hidden)" }.joined(separator: ", ")
      + "\n"
      + (0..<work.count).map { workLock[$0] == nil ? outcomes[$0] ?? "none" : "none" }.joined(separator: "\n")
  }

  private func add(_ new: Work) -> Int {
    work.append(new)
    return work.count - 1
  }

  private func submit(_ action: Script.Action) {
    switch action {
    case .chain(_, isAborted: true): outcomes[add(.action(action))] = "aborted"
    case .chain, .mixer, .closure: begin(add(.action(action)))
    case .capture(let substance): points[substance] = states[substance]
    case .rollBack(let substance):
      if points[substance] != nil { begin(add(.rollBack(substance))) }
    case .lock:
      taken.append(taken.count)
      held.insert(taken.count - 1)
      queue.locks.append(taken.count - 1)
    case .lockMixer(let mixer, let autorelease):
      let (lock, id) = (taken.count, add(.action(.mixer(mixer))))
      taken.append(lock)
      held.insert(lock)
      workLock[id] = (lock, autorelease)
      if queue.lock(lock, with: id) { drain(id) }
    case .release(let index): if index < taken.count { release(taken[taken.count - 1 - index]) }
    case .purge:
      for id in queue.purge() {
        outcomes[id] = "purged"
        if let lock = workLock[id] { release(lock.lock) }
      }
    }
  }

  private func begin(_ id: Int) { if queue.submit(id) { drain(id) } }

  private func release(_ lock: Int) {
    guard held.remove(lock) != nil else { return }
    if let next = queue.unlock(lock) { drain(next) }
  }

  private func drain(_ first: Int) {
    var next: Int? = first
    while let id = next {
      outcomes[id] = perform(id)
      if let lock = workLock[id], lock.autorelease, outcomes[id]?.hasPrefix("committed") != true {
        release(lock.lock)
      }
      next = queue.finish()
    }
  }

  private func perform(_ id: Int) -> String {
    var draft = states
    var named: [Int] = []
    func name(_ substance: Int) { if !named.contains(substance) { named.append(substance) } }
    switch work[id] {
    case .rollBack(let substance):
      guard let point = points[substance] else { return "aborted" }
      name(substance)
      draft[substance] = point
    case .action(.closure(let actions)):
      log.append("closure")
      for action in actions { submit(action) }
    case .action(.mixer(let mixer)):
      for substance in 0..<3 {
        name(substance)
        switch mixer {
        case .note: log.append("mixer")
        case .add: draft[substance].counter += 1
        case .quit: return "aborted"
        default: return "failed(Oops())"
        }
      }
    case .action(.chain(let steps, _)):
      for step in steps {
        name(step.substance)
        switch step {
        case .add(to: let substance, let amount): draft[substance].counter += amount
        case .same: break
        case .hide(in: let substance): draft[substance].hidden += 1
        case .fail: return "failed(Oops())"
        case .submit(inside: _, let actions): for action in actions { submit(action) }
        }
      }
    default: return "none"
    }
    return commit(draft, of: named, lock: workLock[id]?.lock)
  }

  private func commit(_ draft: [Values], of named: [Int], lock: Int?) -> String {
    let old = states
    states = draft
    let changed = named.filter { old[$0].counter != draft[$0].counter }
    for substance in changed {
      for reactor in 0..<2 where reactor == 0 || substance != 2 {
        let lockText = lock.map { " lock \($0)" } ?? ""
        log.append(
          "\(reactor): \(substance) \(old[substance].counter) to \(draft[substance].counter)\(lockText)"
        )
        reactions += 1
        for action in script.reactions[reactions - 1] ?? [] { submit(action) }
      }
    }
    return changed.isEmpty
      ? "unchanged" : "committed(\(changed.map { _ in "counter" }.joined(separator: ", ")))"
  }
}
