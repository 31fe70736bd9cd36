import FlaskArchive
import FlaskDiff
import FlaskEntities
import FlaskInsight
import Foundation
import Synchronization
import Testing
import TestSupport

/// Each value of the standard library and of Foundation comes back as it was, by whatever way it is kept.
@Suite struct OddValueTests {
  struct Row<Value: Codable & Sendable>: Codable, Sendable, Identifiable {
    var id: Int
    var value: Value
    var maybe: Value?
    // An archive has a journal only if it is not small.
    var rest = String(repeating: "x", count: 250)
  }

  struct Holder<Value: Codable & Sendable>: Codable, Sendable {
    var value: Value
    var list: [Value]
    var byName: [String: Value]
    var maybe: Value?
    var rows: Entities<Row<Value>>

    init(_ value: Value) {
      self.value = value
      list = [value, value]
      byName = ["a": value]
      rows = Entities((0..<80).map { Row(id: $0, value: value) })
    }

    func changed(to new: Value) -> Self {
      var changed = self
      (changed.value, changed.list[1], changed.byName["b"], changed.maybe) = (new, new, new, new)
      changed.rows[id: 4]?.value = new
      changed.rows[id: 2]?.maybe = new
      return changed
    }
  }

  enum Way: String, CaseIterable, Sendable {
    case archive, journal, group, recording, history, patch
  }

  /// Values of one type, of which each becomes the next.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failures: @Sendable (Way) async throws -> [String]

    init<Value: Codable & Sendable>(_ values: Value...) {
      testDescription = "\(Value.self)"
      failures = { way in
        var failures: [String] = []
        for (index, (old, new)) in zip(values, values.dropFirst() + values.prefix(1)).enumerated() {
          let holder = Holder(old)
          let isSame = try await OddValueTests.isKept(from: holder, to: holder.changed(to: new), by: way)
          if !isSame { failures.append("from number \(index)") }
        }
        return failures
      }
    }
  }

  static let numbers: [Kind] = [
    Kind(Int128.min, -1, 0, .max), Kind(UInt128.min, .max), Kind(Int64.min, .max), Kind(0, UInt64.max),
    Kind(Int.min, 0, .max), Kind(0, Int8.min), Kind(0, UInt8.max), Kind(0, Int16.min), Kind(0, UInt32.max),
    Kind(
      Double.leastNonzeroMagnitude,
      .greatestFiniteMagnitude,
      .infinity,
      -.infinity,
      .nan,
      -0.0,
      0.1,
      1e300
    ),
    Kind(Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .nan, 0.1, 16_777_216),
    Kind(Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 12_345_678_901_234),
    Kind(true, false),
  ]
  static let texts: [Kind] = [
    Kind("", "\u{0}", "\u{1F}\u{7F}\u{2028}", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\"\\/", "\u{10FFFF}", "NaN", "~1/~0"),
    Kind(Data(), Data([0, 255])), Kind(UUID(), UUID()),
    Kind(URL(filePath: "/tmp/a b"), URL(filePath: "/tmp/c#?d")),
  ]
  static let times: [Kind] = [
    Kind(Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.1)),
    Kind(Date(timeIntervalSinceReferenceDate: .infinity), Date(timeIntervalSinceReferenceDate: -.infinity)),
    Kind(Duration.zero, .nanoseconds(-1), .seconds(Int64.max / 2)),
    Kind(DateInterval(start: .distantPast, duration: 5), DateInterval(start: .distantPast, duration: 6)),
    Kind(DateComponents(year: 2026, month: 11), DateComponents(day: 1)),
    Kind(TimeZone.gmt, TimeZone.current),
    Kind(Locale(identifier: "de_DE"), Locale(identifier: "en_US")),
    Kind(Calendar(identifier: .gregorian), Calendar(identifier: .iso8601)),
    Kind(Measurement(value: 1.5, unit: UnitLength.meters), Measurement(value: 2, unit: .meters)),
  ]
  static let groups: [Kind] = [
    Kind(Set([1, 2, 3]), [4], []), Kind([1: "a", 2: "b"], [3: "c"]), Kind([UUID(): 1], [UUID(): 1]),
    Kind([true: 1], [false: 1]), Kind([[1], []], [[]], []), Kind([nil as Int?, 1], [1, nil]),
    Kind(ContiguousArray([1, 2]), [2]), Kind(0..<5, 1..<1), Kind(0...5, 1...1), Kind(2..., 3...),
    Kind(SIMD4<Float>(1, 2, 3, 4), .zero), Kind(IndexSet([1, 5, 6]), IndexSet()),
    Kind(IndexPath(indexes: [1, 2]), IndexPath()), Kind(CharacterSet(charactersIn: "abc"), CharacterSet()),
    Kind(CGPoint(x: 0.1, y: -1), CGPoint(x: CGFloat.infinity, y: -.infinity)),
    Kind(CGRect(x: 1, y: 2, width: 3, height: 4), .zero),
    Kind(PersonNameComponents(givenName: "Ada"), PersonNameComponents(familyName: "L")),
    Kind([1, 2, 3].difference(from: [1, 3]), [1].difference(from: [2])),
    Kind(Case.odd(1), .odd(nil), .even),
  ]

  enum Case: Codable, Sendable {
    case odd(Int?), even
  }

  @Test(arguments: numbers + texts + times + groups, Way.allCases)
  func `it comes back as it was`(kind: Kind, way: Way) async throws {
    #expect(try await kind.failures(way) == [])
  }

  @Test(arguments: [Way.archive, .journal, .group])
  func `what is not a number is refused, and the older archive stays whole`(way: Way) async throws {
    let memory = MemoryArchive()
    let faults = Mutex<[String]>([])
    let flux = Flux()
    flux.onFault = { fault in faults.withLock { $0.append(fault.message) } }
    let substance = Flux.$current.withValue(flux) {
      Substance<Kept<Holder<Decimal>>>(name: "odd", archive: true, in: Self.place(way, memory))
    }
    substance.mix { $0.state = Holder(1) }
    #expect(await substance.archiveNow())
    let key = way == .group ? "FxGroup.all" : "Fx.1.odd"
    let before = memory.loadWithJournal(key)
    substance.mix { $0.state?.rows[id: 7]?.maybe = .nan }
    #expect(await substance.archiveNow() == false)
    let after = memory.loadWithJournal(key)
    #expect(before?.archive == after?.archive && before?.journal == after?.journal)
    let messages = faults.withLock { $0 }
    // A flush of another test that runs at the same time reports it, too: it is unsaved.
    #expect(Set(messages).count == 1)
    #expect(messages.allSatisfy { $0.contains("state.rows.Index 7.maybe: JSON has no Decimal.nan") })
    substance.mix { $0.state?.rows[id: 7]?.maybe = 5 }
    #expect(await substance.archiveNow())
  }

  @Test func `what is not a number is no patch, no archived step, and an unknown state of a recording`()
    async throws
  {
    let old = Holder<Decimal>(1)
    let new = old.changed(to: .nan)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(StatePatch(from: old, to: new)) }
    let flux = Flux()
    let substance = Flux.$current.withValue(flux) { Substance(old, name: "odd") }
    let history = History(of: substance)
    let file = try RecordingFile()
    let recorder = try Recorder(to: file.url, of: flux, beginningWith: [substance])
    substance.mix { $0 = new }
    await #expect(throws: (any Error).self) { try await history.archived() }
    await recorder.stop()
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.damage == nil)
    let other = Flux.$current.withValue(Flux()) { Substance(Holder<Decimal>(9), name: "odd") }
    let player = try RecordingPlayer(recording, on: [other])
    await #expect(throws: ReplayError.self) { try await player.seek(to: 1) }
    try await player.seek(to: 0)
    #expect(StateDiff.areEqual(other.state, old))
  }

  private static func place(_ way: Way, _ memory: MemoryArchive) -> any ArchiveBackend {
    switch way {
    case .journal: memory
    case .group: ArchiveGroup("all", in: memory, delay: .seconds(3600))
    default: Plain(memory: memory)
    }
  }

  private static func isKept<State: Codable & Sendable>(
    from old: State,
    to new: State,
    by way: Way
  ) async throws -> Bool {
    let flux = Flux()
    switch way {
    case .archive, .journal, .group:
      let memory = MemoryArchive()
      do {
        let substance = Flux.$current.withValue(flux) {
          Substance<Kept<State>>(name: "odd", archive: true, in: place(way, memory))
        }
        substance.mix { $0.state = old }
        guard await substance.archiveNow() else { return false }
        substance.mix { $0.state = new }
        guard await substance.archiveNow() else { return false }
      }
      if way == .journal { #expect(memory.loadWithJournal("Fx.1.odd")?.journal.isEmpty == false) }
      let next = Flux.$current.withValue(Flux()) {
        Substance<Kept<State>>(name: "odd", archive: true, in: place(way, memory))
      }
      return next.state.state.map { StateDiff.areEqual($0, new) } ?? false
    case .recording:
      let substance = Flux.$current.withValue(flux) { Substance(old, name: "odd") }
      let file = try RecordingFile()
      let recorder = try Recorder(to: file.url, of: flux, beginningWith: [substance])
      substance.mix { $0 = new }
      await recorder.stop()
      let other = Flux.$current.withValue(Flux()) { Substance(old, name: "odd") }
      let player = try RecordingPlayer(Recording(contentsOf: file.url), on: [other])
      try await player.seek(to: 1)
      let isNew = StateDiff.areEqual(other.state, new)
      try await player.seek(to: 0)
      return isNew && StateDiff.areEqual(other.state, old)
    case .history:
      let substance = Flux.$current.withValue(flux) { Substance(old, name: "odd") }
      let history = History(of: substance)
      substance.mix { $0 = new }
      let data = try await history.archived()
      let other = Flux.$current.withValue(Flux()) { Substance(new, name: "odd") }
      let restored = History(of: other)
      try await restored.restore(from: data)
      restored.undo()
      let isOld = StateDiff.areEqual(other.state, old)
      restored.redo()
      return isOld && StateDiff.areEqual(other.state, new)
    case .patch:
      func json(_ value: some Encodable) throws -> ArchiveValue {
        try ArchiveValue(text: SubstanceSerializer.data(from: value), maximumDepth: 100)
      }
      // The same in the words of a recording, where an old value stands in the operation and not in a test before it.
      var operations: [ArchiveValue] = []
      var tested: ArchiveValue?
      for var operation in try json(StatePatch(from: old, to: new)).array ?? [] {
        if operation["op"]?.string == "test" {
          tested = operation["value"]
          continue
        }
        operation["old"] = tested.take()
        operations.append(operation)
      }
      let patch = JSONPatch(.array(operations))
      let after = try SubstanceSerializer.state(State.self, from: #require(patch).applied(to: json(old)).text)
      return StateDiff.areEqual(after, new)
    }
  }
}

private struct Kept<State: Codable & Sendable>: FlaskState {
  var state: State?
}

/// A place that knows no journals.
private struct Plain: ArchiveBackend {
  let memory: MemoryArchive
  var location: String { "plain \(memory.location)" }
  func load(_ key: String) throws -> Data? { memory.load(key) }
  func save(_ data: Data, for key: String) throws { memory.save(data, for: key) }
  func remove(_ key: String) throws { memory.remove(key) }
  func keys(withPrefix prefix: String) throws -> [String] { memory.keys(withPrefix: prefix) }
}
