import Foundation
import Synchronization
import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// The values of a part as a sequence: each of them once, and the newest always, whenever it begins.
@Suite(.ownFlux, .serialized) struct ScopeValuesTests {
  /// What a getter does once, the next time it is called.
  enum Interruption {
    static let next = Mutex<(@Sendable () -> Void)?>(nil)

    static func run() { next.withLock { $0.take() }?() }
  }

  struct Slow: Sendable, Equatable, Identifiable {
    var id = 1
    var n = 0
    var seen: Int {
      get {
        Interruption.run()
        return n
      }
      set { n = newValue }
    }
  }

  struct Shelf: Sendable {
    var slow = Slow()
    var rows = [Slow()]
    var entries = ["a": 0]
    var detail: Int? = 0
  }

  let shelf = Substance(Shelf())

  /// Has another thread mix while the next value is read.
  private func interrupt(_ body: @escaping @Sendable (inout Shelf) -> Void) {
    let end = Gate()
    Interruption.next.withLock {
      $0 = { [shelf] in
        Thread {
          shelf.mix(isolation: nil) { body(&$0) }
          end.open()
        }
        .start()
        end.wait()
      }
    }
  }

  @Test func `a sequence that begins beside a mix has the newest value`() async {
    let values = shelf.scope(\.slow).scope(\.seen).values()
    interrupt { $0.slow.n = 1 }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
  }

  @Test func `so has one of a part of an element`() async throws {
    let values = try #require(shelf.scope(\.rows, id: 1)).scope(\.seen).values()
    interrupt { $0.rows[0].n = 1 }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
  }

  @Test func `one of an element that goes meanwhile ends`() async throws {
    let values = try #require(shelf.scope(\.rows, id: 1)).scope(\.seen).values()
    interrupt { $0.rows = [] }
    var iterator = values.makeAsyncIterator()
    while await iterator.next() != nil {}
  }

  @Test func `one of a substance's computed property has the newest value, too`() async {
    let values = shelf.values(of: \.slow.seen)
    interrupt { $0.slow.n = 1 }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
  }

  @Test func `begun beside mixes no sequence gives a value twice, or an older one`() async throws {
    let (shelf, rounds) = (shelf, Workload.count(500, full: 250_000))
    let isDone = Atomic<Bool>(false)
    async let mixing: Void = OtherThread.run {
      var n = 0
      while !isDone.load(ordering: .relaxed) {
        n += 1
        let value = n
        shelf.mix(isolation: nil) {
          $0.slow.n = value
          $0.rows[0].n = value
          $0.entries["a"] = value
          $0.detail = value
        }
      }
    }
    let row = try #require(shelf.scope(\.rows, id: 1))
    let entry = try #require(shelf.scope(\.entries, key: "a"))
    let detail = try #require(shelf.scope(\.detail))
    var wrong: [String] = []
    for round in 0..<rounds {
      let values =
        switch round % 4 {
        case 0: shelf.scope(\.slow.n).values()
        case 1: row.scope(\.n).values()
        case 2: entry.values()
        default: detail.values()
        }
      var last = -1
      var iterator = values.makeAsyncIterator()
      for _ in 0..<3 {
        guard let value = await iterator.next() else { continue }
        if value <= last { wrong.append("kind \(round % 4): \(value) after \(last)") }
        last = value
      }
    }
    isDone.store(true, ordering: .relaxed)
    await mixing
    #expect(wrong == [])
  }
}
