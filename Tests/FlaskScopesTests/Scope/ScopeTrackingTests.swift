import FlaskEntities
import Foundation
import Observation
import Synchronization
import Testing

@testable import FlaskCore
@testable import FlaskPrimitives
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// What a tracked closure depends on that reads through scopes: the members that it reads, by key.
@Suite(.ownFlux) struct ScopeTrackingTests {
  struct Row: Identifiable, Sendable, Equatable {
    let id: Int
    var title = ""
    var count = 0
    var inner = Inner()
    var tags: Entities<Tag> = [Tag(id: 1), Tag(id: 2)]
    var headline: String { "\(title) \(count)" }
  }
  struct Inner: Sendable, Equatable {
    var a = 0
    var b = 0
  }
  struct Tag: Identifiable, Sendable, Equatable {
    let id: Int
    var text = ""
  }
  struct Board: Sendable {
    var title = ""
    var rows = Entities((0..<10).map { Row(id: $0) })
    var list = (0..<10).map { Row(id: $0) }
    var byName = ["a": Row(id: 1), "b": Row(id: 2)]
    var selected: Row? = Row(id: 1)
    var settings = Inner()
  }

  private let board = Substance(Board())
  private let log = Recorder<String>()

  private func track(_ name: String, _ read: () -> Void) {
    withObservationTracking(read) { [log] in log.append(name) }
  }

  @Test func `of ten thousand rows the one that changes is reported, by the key that was read`() throws {
    let board = Substance(Board())
    board.mix { $0.rows = Entities((0..<10_000).map { Row(id: $0) }) }
    let scopes = try (0..<10_000).map { try #require(board.scope(\.rows, id: $0)) }
    for (id, scope) in scopes.enumerated() { track("\(id)") { _ = scope.title } }
    track("all") { _ = board.rows.count }
    board.mix { $0.rows[id: 9]?.count = 1 }
    #expect(log.take() == ["all"])
    board.mix { $0.rows[id: 9]?.title = "x" }
    #expect(log.take() == ["9"])
    board.mix { $0.rows[id: 9]?.title = "y" }
    #expect(log.take() == [])
    board.mix { $0.rows.move(id: 9, to: 0) }
    #expect(log.take() == [])
    board.mix { $0.rows.remove(id: 10) }
    #expect(log.take() == ["10"])
    board.mix { board in for id in 0..<10_000 { board.rows[id: id]?.title = "z" } }
    #expect(log.take().count == 9_998)
  }

  @Test func `a subscript that names collection and member depends on that key of that member`() {
    let board = Substance(Board())
    board.mix { $0.rows = Entities((0..<10_000).map { Row(id: $0) }) }
    for id in 0..<10_000 { track("\(id)") { _ = board[\.rows, id: id]?.title } }
    track("list") { _ = board[\.list, id: 3]?.title }
    track("a") { _ = board[\.byName, key: "a"]?.title }
    track("tag") { _ = board[\.rows, id: 7]?[\.tags, id: 2]?.text }
    track("absent") { _ = board[\.byName, key: "c"]?.title }
    track("plain") { _ = board.rows[id: 9]?.title }
    board.mix { $0.rows[id: 9]?.count = 1 }
    #expect(log.take() == ["plain"])
    board.mix { $0.rows[id: 9]?.title = "x" }
    #expect(log.take() == ["9"])
    board.mix {
      $0.list[4].title = "x"
      $0.list[3].count = 1
      $0.byName["b"]?.title = "x"
      $0.rows[id: 7]?.tags[id: 1]?.text = "x"
    }
    #expect(log.take() == ["absent"])
    board.mix { $0.list[3].title = "x" }
    #expect(log.take() == ["list"])
    board.mix { $0.byName["a"]?.title = "x" }
    #expect(log.take() == ["a"])
    board.mix { $0.rows[id: 7]?.tags[id: 2]?.text = "x" }
    #expect(log.take() == ["tag"])
    #expect(board[\.rows, id: 9]?.title == "x")
    #expect(board[\.rows, id: 10_000] == nil)
    #expect(board[\.byName, key: "c"] == nil)
  }

  @Test func `elements, entries and contents of optionals are tracked by key`() throws {
    let scopes = [
      "list": try #require(board.scope(\.list, id: 3)),
      "byName": try #require(board.scope(\.byName, key: "a")),
      "selected": try #require(board.scope(\.selected)),
    ]
    func trackAll() {
      for (name, scope) in scopes {
        track(name) { _ = scope.title }
        track(name + ".value") { _ = scope.value }
        track(name + ".headline") { _ = scope.headline }
      }
    }
    trackAll()
    board.mix {
      $0.list[4].title = "another"
      $0.byName["b"]?.title = "another"
      $0.title = "another"
    }
    #expect(log.take() == [])
    board.mix {
      $0.list[3].count = 1
      $0.byName["a"]?.count = 1
      $0.selected?.count = 1
    }
    #expect(Set(log.take()) == Set(scopes.keys.flatMap { [$0 + ".value", $0 + ".headline"] }))
    board.mix {
      $0.list.remove(at: 3)
      $0.byName["a"] = nil
      $0.selected = nil
    }
    #expect(Set(log.take()) == Set(scopes.keys))
    trackAll()
    board.mix {
      $0.list.append(Row(id: 3, title: "back"))
      $0.byName["a"] = Row(id: 1, title: "back")
      $0.selected = Row(id: 1, title: "back")
    }
    #expect(log.take().count == 9)
    #expect(scopes.values.map(\.title) == ["back", "back", "back"])
  }

  @Test func `scopes in members, and parts of members, are tracked by what they lead to`() throws {
    let row = try #require(board.scope(\.rows, id: 3))
    let tag = try #require(row.scope(\.tags, id: 2))
    let inner = row.scope(\.inner)
    track("tag") { _ = tag.text }
    track("tag there") { _ = tag.isPresent }
    track("inner.a") { _ = inner.a }
    board.mix { $0.rows[id: 3]?.tags[id: 1]?.text = "other" }
    board.mix { $0.rows[id: 3]?.title = "other" }
    board.mix { $0.rows[id: 4]?.inner.a = 1 }
    inner.mix { $0.b = 1 }
    #expect(log.take() == [])
    tag.mix { $0.text = "x" }
    inner.mix { $0.a = 1 }
    #expect(log.take() == ["tag", "inner.a"])
    board.mix { $0.rows.remove(id: 3) }
    #expect(log.take() == ["tag there"])
  }

  @Test func `a scope that is made in the closure is tracked, and one that can't be made by its container`() {
    track("title") { _ = board.scope(\.rows, id: 3)?.title }
    track("there") { _ = board.scope(\.rows, id: 4) }
    track("missing") { _ = board.scope(\.rows, id: 99)?.title }
    track("selected") { _ = board.scope(\.selected)?.count }
    board.mix { $0.selected?.title = "other" }
    #expect(log.take() == [])
    board.mix { $0.rows[id: 3]?.count = 1 }
    #expect(log.take() == ["missing"])
    board.mix { $0.rows[id: 3]?.title = "x" }
    board.mix { $0.rows.remove(id: 4) }
    board.mix { $0.selected = nil }
    #expect(log.take() == ["title", "there", "selected"])
    track("missing") { _ = board.scope(\.rows, id: 99)?.title }
    board.mix { $0.rows.append(Row(id: 99)) }
    #expect(log.take() == ["missing"])
  }

  @Test func `a part that is always there is tracked by the key that is read`() {
    let settings = board.scope(\.settings)
    track("a") { _ = settings.a }
    track("there") { _ = settings.isPresent }
    track("value") { _ = settings.value }
    board.mix { $0.title = "x" }
    #expect(log.take() == [])
    board.mix { $0.settings.b = 1 }
    #expect(log.take() == ["value"])
    board.mix { $0.settings.a = 1 }
    #expect(log.take() == ["a"])
  }

  @Test func `what is tracked of members goes with the closures, and with the substance`() throws {
    weak var substance: Substance<Board>?
    weak var publisher: StatePublisher?
    let hubs = board.flux.containerObservers
    try autoreleasing {
      let board = Substance(Board())
      (substance, publisher) = (board, board.publisher)
      for _ in 0..<10 {
        let scope = try #require(board.scope(\.rows, id: 3))
        for _ in 0..<100 { _ = scope.title }
      }
      #expect(hubs.count == 0)
      for round in 0..<1_000 {
        track("title") { _ = board.scope(\.rows, id: 3)?.title }
        board.mix { $0.rows[id: 3]?.title = "\(round)" }
      }
      #expect(log.take().count == 1_000)
      #expect(hubs.count == 0)
      track("title") { _ = board.scope(\.rows, id: 3)?.title }
      #expect(hubs.count == 1)
    }
    #expect(substance == nil)
    #expect(publisher == nil)
    #expect(hubs.count == 0)
  }

  @Test func `closures that end without a notification leave nothing that grows`() async throws {
    let board = board
    let trackings = board.publisher.attachment { MemberTrackings() }.object
    for round in 0..<1_000 {
      // The closure depends on the row of each round; all but the other one's change is never told.
      track("any") {
        _ = board.scope(\.rows, id: round % 10)?.title
        _ = board.title
      }
      board.mix { $0.title = "\(round)" }
    }
    #expect(log.take().count == 1_000)
    #expect(trackings.count <= 64)
  }

  @Test func `no change between a read and its registration is lost`() async throws {
    let board = board
    let rounds = 2_000
    let seen = Lock(0)
    let writer = Thread {
      for round in 1...rounds { board.mix { $0.rows[id: 3]?.count = round } }
    }
    writer.start()
    // Each notification reads again; a lost one would leave the reader with an old value for good.
    @Sendable func read() {
      let count = withObservationTracking {
        board.scope(\.rows, id: 3)?.count ?? -1
      } onChange: {
        DispatchQueue.global().async { read() }
      }
      seen.withLock { $0 = max($0, count) }
    }
    read()
    while seen.withLock({ $0 }) < rounds { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func `a closure that reads for long is notified, however often others have been notified meanwhile`()
    async throws
  {
    let row = try #require(board.scope(\.rows, id: 3))
    // Each round makes a new generation of the key, and lets go of the one before the last.
    track("slow") {
      _ = row.title
      for round in 0..<4 {
        OtherThread.runBlocking { [log] in
          withObservationTracking {
            _ = row.title
          } onChange: {
            log.append("quick")
          }
          row.mix { $0.title = "\(round)" }
        }
      }
    }
    // It is told what it missed as soon as it has returned.
    while log.all.filter({ $0 == "slow" }).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    #expect(log.take() == ["quick", "quick", "quick", "quick", "slow"])
  }

  @Test func `readers that share a scope all end with the last value`() async throws {
    let row = try #require(board.scope(\.rows, id: 4))
    let rounds = 600
    let seen = Lock([Int](repeating: 0, count: 6))
    @Sendable func read(_ reader: Int) {
      let count = withObservationTracking {
        row.count
      } onChange: {
        DispatchQueue.global().async { read(reader) }
      }
      seen.withLock { $0[reader] = max($0[reader], count) }
    }
    for reader in 0..<6 { read(reader) }
    let writer = Thread { for round in 1...rounds { row.mix { $0.count = round } } }
    writer.start()
    while seen.withLock({ $0.contains { $0 < rounds } }) { try await Task.sleep(for: .milliseconds(1)) }
  }

  private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }
}
