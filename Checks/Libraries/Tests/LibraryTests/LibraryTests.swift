import BigInt
import Collections
import Flask
import FlaskHistory
import Foundation
import Synchronization
import Testing

/// A state with a value of a library in each place that a state has.
struct Shelf<Value: Sample>: State, Equatable {
  struct Row: Identifiable, Codable, Sendable, Equatable {
    var id = 0
    var value = Value.initial
  }
  enum Choice: Codable, Sendable, Equatable { case none, one(Value) }

  var value = Value.initial
  var list = [Value.initial, Value.initial]
  var maybe: Value? = Value.initial
  var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
  var choice = Choice.one(Value.initial)

  /// Changes the value in one of these places. Returns the key, and whether a reader can tell it.
  mutating func change(using random: inout SystemNumbers) -> (key: String, isChanged: Bool) {
    func changed(_ value: inout Value) -> Bool {
      let old = value
      value.change(using: &random)
      return Value.differ(old, value)
    }
    switch random.below(5) {
    case 0: return ("value", changed(&value))
    case 1: return ("list", changed(&list[random.below(2)]))
    case 2:
      if random.below(4) == 0 {
        let was = maybe
        maybe = was == nil ? .initial : nil
        return ("maybe", true)
      }
      guard var content = maybe else { return ("maybe", false) }
      let isChanged = changed(&content)
      maybe = content
      return ("maybe", isChanged)
    case 3:
      let id = 1 + random.below(2)
      guard var content = rows[id: id]?.value else { return ("rows", false) }
      let isChanged = changed(&content)
      rows[id: id]?.value = content
      return ("rows", isChanged)
    default:
      guard case .one(var content) = choice else { return ("choice", false) }
      let isChanged = changed(&content)
      choice = .one(content)
      return ("choice", isChanged)
    }
  }
}

/// The keys of which observers were notified.
final class Heard: Sendable {
  private let keys = Mutex<[String]>([])

  func append(_ key: String) { keys.withLock { $0.append(key) } }

  func take() -> [String] {
    keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }
}

/// Random changes of values of libraries, beside the `==` of their types: each is notified once, derived, patched,
/// undone and archived.
@Suite struct LibraryTests {
  private static let count = ProcessInfo.processInfo.environment["FLASK_VALUES"].flatMap { Int($0) } ?? 200

  private func check<Value: Sample>(_ type: Value.Type) async throws {
    var random = SystemNumbers(state: 1)
    let flux = Flux()
    let disk = MemoryArchive()
    let shelf = Flux.$current.withValue(flux) {
      Substance<Shelf<Value>>(name: "shelf", archive: true, in: disk)
    }
    let history = Flux.$current.withValue(flux) { History(of: shelf, steps: Self.count) }
    let derived = Flux.$current.withValue(flux) { Derived { shelf.state } }
    let heardKeys = Heard()
    let tokens = ["value", "list", "maybe", "rows", "choice"].map { key in
      shelf.observe(key: key, isolation: nil) { _ in heardKeys.append(key) }
    }
    let first = shelf.state
    var needless = 0
    for step in 0..<Self.count {
      let old = shelf.state
      var new = old
      let (key, isChanged) = new.change(using: &random)
      shelf.mix { [new] in $0 = new }
      let heard = heardKeys.take()
      if isChanged {
        #expect(heard == [key], "\(type), step \(step)")
      } else if !heard.isEmpty {
        needless += 1
      }
      #expect(derived.value == new, "\(type), step \(step)")
      #expect(try StatePatch(from: old, to: new).applied(to: old) == new, "\(type), step \(step)")
    }
    let last = shelf.state
    #expect(needless == 0, "\(type): \(needless) equal values of \(Self.count) were a change")
    _ = await shelf.archiveNow()
    shelf.shouldArchive = false
    let read = Flux.$current.withValue(Flux()) {
      Substance<Shelf<Value>>(name: "shelf", archive: true, in: disk)
    }
    #expect(read.state == last, "\(type)")
    while history.canUndo { history.undo() }
    #expect(shelf.state == first, "\(type)")
    while history.canRedo { history.redo() }
    #expect(shelf.state == last, "\(type)")
    withExtendedLifetime(tokens) {}
  }

  @Test func `values of swift-collections`() async throws {
    try await check(OrderedDictionary<String, Int>.self)
    try await check(OrderedSet<Int>.self)
    try await check(Deque<Double>.self)
    try await check(BitSet.self)
    try await check(BitArray.self)
    try await check(TreeDictionary<String, Int>.self)
    try await check(TreeSet<Int>.self)
    try await check(OpenHeap.self)
  }

  @Test func `values of Foundation`() async throws {
    try await check(Decimal.self)
    try await check(Date.self)
    try await check(URL.self)
    try await check(Data.self)
    try await check(Styled.self)
    try await check(IndexSet.self)
    try await check(Measurement<UnitLength>.self)
    try await check(UUID.self)
  }

  @Test func `large integers`() async throws { try await check(BigInt.self) }
}
