import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Scopes of elements under random edits, against a model that knows nothing of hubs.
@Suite(.ownFlux) struct ElementModelTests {
  typealias Row = AppState.Row

  /// What one observer must have heard.
  final class Watch {
    let id: Int
    let kind: Kind
    let scope: Scope<Row>
    var last: Row
    var hasEnded = false
    var token: SubstanceObservation?

    enum Kind: CaseIterable { case row, title, presence }

    init(_ scope: Scope<Row>, _ row: Row, _ kind: Kind) {
      (self.scope, id, last, self.kind) = (scope, row.id, row, kind)
    }

    /// What is to be heard of a commit.
    func hear(_ old: Row?, _ new: Row?) -> String? {
      last = new ?? last
      guard let old, let new else {
        if old == nil && new == nil { return nil }
        if old != nil && kind != .presence { hasEnded = true }
        return kind == .presence ? "presence \(id) \(new != nil)" : nil
      }
      if hasEnded { return nil }
      switch kind {
      case .row:
        return old == new ? nil : "row \(id) \(old.title)\(old.tags.count) \(new.title)\(new.tags.count)"
      case .title: return old.title == new.title ? nil : "title \(id) \(old.title) \(new.title)"
      case .presence: return nil
      }
    }
  }

  @Test func `scopes of elements hear and read what the model says`() throws {
    for seed in 0..<UInt64(Workload.count(60, full: 600)) {
      try Flux.$current.withValue(Flux()) { try play(seed: seed, steps: 150) }
    }
  }

  private func play(seed: UInt64, steps: Int) throws {
    var random = SeededGenerator(seed: seed)
    let size = Int.random(in: 1...12, using: &random)
    var model = (0..<size).map { Row(id: $0, title: "t\($0)") }
    let app = Substance(AppState(rows: model))
    var removed: [Row] = []
    var watches: [Watch] = []
    let heard = Recorder<String>()
    for step in 0..<steps {
      let old = model
      for _ in 0..<Int.random(in: 1...3, using: &random) { edit(&model, &removed, step, &random) }
      let edited = model
      app.mix { $0.rows = edited }
      func row(_ id: Int, in rows: [Row]) -> Row? { rows.first { $0.id == id } }
      let expected = watches.compactMap { $0.hear(row($0.id, in: old), row($0.id, in: model)) }
      try #require(heard.take() == expected, "seed \(seed), step \(step)")
      for watch in watches {
        try #require(watch.scope.value == watch.last, "seed \(seed), step \(step)")
        try #require(watch.scope.isPresent == (row(watch.id, in: model) != nil), "seed \(seed), step \(step)")
      }
      if let watch = watches.randomElement(using: &random), Int.random(in: 0..<2, using: &random) == 0 {
        model = mixed(model, by: watch, in: watches, step)
        let expected = watches.compactMap { $0.hear(row($0.id, in: edited), row($0.id, in: model)) }
        try #require(heard.take() == expected, "seed \(seed), step \(step), by a scope")
        try #require(app.rows == model, "seed \(seed), step \(step), by a scope")
      }
      changeWatches(&watches, of: app, model, heard, &random)
    }
    watches = []
    #expect(Flux.current.containerObservers.count == 0)
  }

  private func edit(_ rows: inout [Row], _ removed: inout [Row], _ step: Int, _ random: inout SeededGenerator)
  {
    let index = rows.indices.randomElement(using: &random)
    switch (Int.random(in: 0..<7, using: &random), index) {
    case (0, let index?): removed.append(rows.remove(at: index))
    case (1, _):
      let place = Int.random(in: 0...rows.count, using: &random)
      if !removed.isEmpty { rows.insert(removed.removeFirst(), at: place) }
    case (2, let index?):
      rows.insert(rows.remove(at: index), at: rows.indices.randomElement(using: &random) ?? 0)
    case (3, let index?): rows[index].title = "s\(step)"
    case (4, let index?): rows[index].tags.append(AppState.Tag(id: step))
    case (5, _): rows.shuffle(using: &random)
    default: break
    }
  }

  /// The model after a mix by the scope of a watch.
  private func mixed(_ rows: [Row], by watch: Watch, in watches: [Watch], _ step: Int) -> [Row] {
    watch.scope.mix { $0.title = "m\(step)" }
    var rows = rows
    if let index = rows.firstIndex(where: { $0.id == watch.id }) { rows[index].title = "m\(step)" }
    return rows
  }

  private func changeWatches(
    _ watches: inout [Watch],
    of app: Substance<AppState>,
    _ rows: [Row],
    _ heard: Recorder<String>,
    _ random: inout SeededGenerator
  ) {
    if watches.count > 12, let index = watches.indices.randomElement(using: &random) {
      watches.remove(at: index)
    }
    let id = Int.random(in: 0..<12, using: &random)
    let scope = app.scope(\.rows, id: id)
    let row = rows.first { $0.id == id }
    #expect((scope == nil) == (row == nil))
    guard let scope, let row, let kind = Watch.Kind.allCases.randomElement(using: &random) else { return }
    let watch = Watch(scope, row, kind)
    watch.token =
      switch kind {
      case .row:
        scope.observe { heard.append("row \($1.id) \($0.title)\($0.tags.count) \($1.title)\($1.tags.count)") }
      case .title: scope.observe(\.title) { heard.append("title \(id) \($0) \($1)") }
      case .presence: scope.observePresence { heard.append("presence \(id) \($0)") }
      }
    watches.append(watch)
  }

  @Test func `elements that other threads mix, move and remove are read whole`() async {
    let app = Substance(AppState(rows: (0..<20).map { Row(id: $0, title: "0", note: "0") }))
    let wrong = Recorder<String>()
    let count = Workload.count(2_000, full: 50_000)
    await OtherThread.run(times: 4) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for step in 0..<count {
        let id = Int.random(in: 0..<20, using: &random)
        let scope = app.scope(\.rows, id: id)
        switch (step + thread) % 4 {
        case 0:
          scope?.mix {
            $0.title = "\(step)"
            $0.note = "\(step)"
          }
        case 1: app.mix { if !$0.rows.isEmpty { $0.rows.swapAt(0, $0.rows.count - 1) } }
        case 2:
          app.mix { state in
            guard let index = state.rows.firstIndex(where: { $0.id == id }) else { return }
            let row = state.rows.remove(at: index)
            app.mix { $0.rows.append(row) }
          }
        default:
          let token = scope?.observe { old, new in
            if old == new || old.id != id || new.id != id { wrong.append("\(old) \(new)") }
          }
          if let row = scope?.value, row.title != row.note || row.id != id { wrong.append("\(row)") }
          withExtendedLifetime(token) {}
        }
      }
    }
    // Twice, since what waits may make others wait.
    for _ in 0..<2 { _ = await app.mix { $0.count += 1 }.outcome }
    #expect(wrong.all == [])
    #expect(app.rows.map(\.id).sorted() == Array(0..<20))
    // The thread that performed the last mix lets go of it when the flux is idle already.
    for _ in 0..<1_000_000 where Flux.current.containerObservers.count != 0 { await Task.yield() }
    #expect(Flux.current.containerObservers.count == 0)
  }
}
