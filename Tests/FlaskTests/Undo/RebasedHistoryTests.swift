import FlaskHistory
import FlaskPrimitives
import TestSupport
import Testing

@testable import FlaskArchive
@testable import FlaskCore

/// A history of a substance whose archive arrives later. What the history keeps of the placeholder becomes what it would
/// be if the archived state had been there from the beginning.
@Suite struct RebasedHistoryTests {
  private struct Novel: FlaskState, Equatable {
    var title = "untitled"
    var pages: [String] = []
    var count = 0
  }

  private struct Refused: Error {}

  /// Calls `body` with a substance whose archive arrives when `arrive` is called.
  private func before<Result>(
    _ archived: Novel,
    _ body: (_ novel: Substance<Novel>, _ history: History, _ arrive: () async -> Void) async throws -> Result
  ) async rethrows -> Result {
    try await Flux.$current.withValue(.withLateArchives()) {
      let gated = GatedArchive()
      let earlier = Substance<Novel>(name: "novel", archive: true, in: gated.place)
      earlier.mix { $0 = archived }
      #expect(await earlier.archiveNow())
      earlier.shouldArchive = false
      let novel = Substance<Novel>(name: "novel", archive: true, in: DeferredArchive(gated))
      return try await body(novel, History(of: novel)) {
        gated.gate.open()
        await novel.opened()
      }
    }
  }

  /// What differs from the placeholder in all keys, or in the mixed one alone (then the arrival changes no key).
  private static let archives = [
    Novel(title: "my novel", pages: ["one"], count: 3), Novel(title: "my novel"),
  ]

  @Test(arguments: archives, [false, true])
  private func `an undo leads back to what the archive has`(_ archived: Novel, isAfter: Bool) async {
    await before(archived) { novel, history, arrive in
      novel.mix { $0.title = "draft" }
      if !isAfter { history.undo() }
      await arrive()
      if isAfter {
        #expect(novel.title == "draft")
        history.undo()
      }
      #expect(novel.state == archived)
      history.redo()
      #expect(novel.title == "draft" && novel.pages == archived.pages)
      history.undo()
      #expect(novel.state == archived && !history.canUndo)
    }
  }

  @Test func `several steps lead back to what the archive has`() async {
    let archived = RebasedHistoryTests.archives[0]
    await before(archived) { novel, history, arrive in
      novel.mix { $0.title = "draft" }
      novel.mix {
        $0.title = "draft 2"
        $0.count = 8
      }
      novel.mix { $0.pages = ["mine"] }
      history.undo()
      await arrive()
      #expect(novel.state == Novel(title: "draft 2", pages: ["one"], count: 8))
      history.redo()
      #expect(novel.pages.contains("mine"))
      history.undo()
      history.undo()
      #expect(novel.state == Novel(title: "draft", pages: ["one"], count: 3))
      history.undo()
      #expect(novel.state == archived)
    }
  }

  @Test(arguments: archives, [false, true])
  private func `an optimistic change that fails leaves what the archive has`(
    _ archived: Novel,
    isAfter: Bool
  ) async {
    await before(archived) { novel, history, arrive in
      let answer = Signal()
      let asked = Signal()
      let change = Task {
        try await history.optimistic {
          novel.mix {
            $0.title = "draft"
            $0.pages = ["mine"]
          }
        } confirmedBy: {
          asked.fire()
          await answer.wait()
          throw Refused()
        }
      }
      await asked.wait()
      if isAfter {
        await arrive()
        #expect(novel.title == "draft" && novel.count == archived.count)
      }
      novel.mix { $0.count += 10 }
      answer.fire()
      await #expect(throws: Refused.self) { try await change.value }
      if !isAfter {
        novel.mix { $0.count -= 10 }
        await arrive()
      }
      #expect(novel.title == archived.title && novel.pages == archived.pages)
      #expect(novel.count == archived.count + (isAfter ? 10 : 0))
    }
  }

  // MARK: Any history

  private enum Event: Equatable {
    case title, pages, count, both, undo, redo, merge, drop, begin, confirm, fail, arrive
  }

  /// An optimistic change that waits for its answer.
  private struct Waiting {
    let holds = Lock(false)
    let answer = Signal()
    let task: Task<Void, any Error>

    init(_ history: History, _ novel: Substance<Novel>, _ number: Int) async {
      let asked = Signal()
      task = Task { [holds, answer] in
        try await history.optimistic {
          novel.mix {
            $0.title = "title \(number)"
            $0.count = 200 + number
          }
        } confirmedBy: {
          asked.fire()
          await answer.wait()
          if !holds.withLock({ $0 }) { throw Refused() }
        }
      }
      await asked.wait()
    }

    func end(_ isConfirmed: Bool) async {
      holds.withLock { $0 = isConfirmed }
      answer.fire()
      _ = await task.result
    }
  }

  /// The states from the arrival on.
  ///
  /// - Parameter isDeferred: whether the archived state arrives at `arrive`, or is there from the beginning.
  private func states(_ events: [Event], isDeferred: Bool) async -> [Novel] {
    await before(Novel(title: "my novel", pages: ["one"], count: 3)) { novel, history, arrive in
      if !isDeferred { await arrive() }
      var states: [Novel] = []
      var waiting: [Waiting] = []
      var isThere = false
      for (number, event) in events.enumerated() {
        switch event {
        case .title: novel.mix { $0.title = "title \(number)" }
        case .pages: novel.mix { $0.pages = ["page \(number)"] }
        case .count: novel.mix { $0.count = 100 + number }
        case .both:
          novel.mix {
            $0.title = "title \(number)"
            $0.pages = ["page \(number)"]
          }
        case .undo: history.undo()
        case .redo: history.redo()
        case .merge: history.mergeStep()
        case .drop: history.dropStep()
        case .begin: waiting.append(await Waiting(history, novel, number))
        case .confirm where !waiting.isEmpty: await waiting.removeLast().end(true)
        case .fail where !waiting.isEmpty: await waiting.removeFirst().end(false)
        case .confirm, .fail: break
        case .arrive:
          if isDeferred { await arrive() }
          isThere = true
        }
        if isThere { states.append(novel.state) }
      }
      while let last = waiting.popLast() { await last.end(false) }
      states.append(novel.state)
      while history.canUndo {
        history.undo()
        states.append(novel.state)
      }
      while history.canRedo {
        history.redo()
        states.append(novel.state)
      }
      return states
    }
  }

  @Test func `a late archive and an early one lead to the same history`() async {
    let kinds: [Event] = [
      .title, .pages, .count, .both, .undo, .undo, .redo, .merge, .drop, .begin, .begin, .confirm, .fail,
    ]
    for seed in 0..<UInt64(Proof.count(150, full: 20_000, of: "FLASK_ARRIVALS")) {
      var random = SeededGenerator(seed: seed)
      var events = (0..<Int.random(in: 2...14, using: &random)).compactMap { _ in
        kinds.randomElement(using: &random)
      }
      events.insert(.arrive, at: Int.random(in: 0...events.count, using: &random))
      let late = await states(events, isDeferred: true)
      let early = await states(events, isDeferred: false)
      guard late == early else {
        Issue.record("seed \(seed): \(events)\nlate: \(late)\nearly: \(early)")
        return
      }
    }
  }
}
