@testable import FlaskCore
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// Each test reads the archive that an older program wrote, as text, into the state of today.
@Suite struct OlderShapesTests {
  struct Profile: Codable, Equatable, Sendable {
    var name = "nobody"
    var age = 18
    var address = Address()
  }

  struct Address: Codable, Equatable, Sendable {
    var city = "Paris"
    var zip = "75000"
  }

  enum Phase: Codable, Equatable, Sendable {
    case idle
    case loading(progress: Double, retries: Int)
  }

  struct Item: Codable, Equatable, Sendable {
    var title = "item"
    var done = false
  }

  struct AppState: Codable, Equatable, Sendable {
    var counter = 7
    var title = "untitled"
    var nickname: String? = "nick"
    var scores = ["default": 1]
    var phase = Phase.idle
    var profile = Profile()
    var items = [Item(title: "welcome", done: true)]
    var _internal = "kept"
  }

  private static let complete = """
    {"_internal":"i","counter":1,"items":[],"nickname":"n","phase":{"idle":{}},\
    "profile":{"address":{"city":"c","zip":"z"},"age":2,"name":"p"},"scores":{},"title":"t"}
    """

  private static let expected = AppState(
    counter: 1,
    title: "t",
    nickname: "n",
    scores: [:],
    phase: .idle,
    profile: Profile(name: "p", age: 2, address: Address(city: "c", zip: "z")),
    items: [],
    _internal: "i"
  )

  @Test func `The shape of today is read, and is what would be written`() throws {
    let (state, isCurrent) = try read(Self.complete)
    #expect(state == Self.expected)
    #expect(isCurrent)
  }

  @Test func `An added property takes its default, and nothing else does`() throws {
    let (state, isCurrent) = try read(Self.complete.replacing(#","title":"t""#, with: ""))
    var expected = Self.expected
    expected.title = "untitled"
    #expect(state == expected)
    #expect(!isCurrent)
  }

  @Test func `All properties added at once take their defaults`() throws {
    var expected = AppState()
    expected.nickname = nil
    #expect(try read("{}").state == expected)
  }

  @Test func `A removed property is ignored`() throws {
    let text = Self.complete.replacing(#""title""#, with: #""theme":{"dark":[1,{}]},"title""#)
    #expect(try read(text).state == Self.expected)
  }

  @Test func `A renamed property takes its default, and the old one is ignored`() throws {
    var expected = Self.expected
    expected.title = "untitled"
    #expect(try read(Self.complete.replacing(#""title":"#, with: #""heading":"#)).state == expected)
  }

  @Test func `A renamed property is moved by a migration`() throws {
    let (state, isCurrent) = try read(
      Self.complete.replacing(#""title":"#, with: #""heading":"#),
      version: 0,
      now: 1
    ) {
      $1.rename("heading", to: "title")
    }
    #expect(state == Self.expected)
    #expect(!isCurrent)
  }

  @Test func `A property of another type fits nothing, and is not replaced by its default`() {
    expectNoFit("counter") { _ = try read(Self.complete.replacing(#""counter":1"#, with: #""counter":"1""#)) }
  }

  @Test func `A property of another type is turned by a migration`() throws {
    let text = Self.complete.replacing(#""counter":1"#, with: #""counter":"1""#)
    let (state, _) = try read(text, version: 0, now: 1) { _, archive in
      archive["counter"] = archive["counter"]?.string.flatMap(Int.init).map { .number(ArchiveNumber($0)) }
    }
    #expect(state == Self.expected)
  }

  @Test func `An optional that was nil stays nil, whatever its default`() throws {
    var expected = Self.expected
    expected.nickname = nil
    #expect(try read(Self.complete.replacing(#""nickname":"n","#, with: "")).state == expected)
    #expect(
      try read(Self.complete.replacing(#""nickname":"n""#, with: #""nickname":null"#)).state == expected
    )
  }

  @Test func `Dictionary entries that were removed stay removed`() throws {
    let text = Self.complete.replacing(#""title":"t""#, with: #""title2":0"#)
    #expect(try read(text).state.scores == [:])
  }

  @Test func `An enum with payload is read as it was, not mixed with the default's case`() throws {
    let text = Self.complete.replacing(#"{"idle":{}}"#, with: #"{"loading":{"progress":0.5,"retries":3}}"#)
    #expect(try read(text).state.phase == .loading(progress: 0.5, retries: 3))
  }

  @Test func `A payload that the default cannot complete does not fit`() {
    let text = Self.complete.replacing(#"{"idle":{}}"#, with: #"{"loading":{"progress":0.5}}"#)
    expectNoFit("phase.loading.retries: it is missing") { _ = try read(text) }
  }

  @Test func `A case that is no more does not fit`() {
    expectNoFit("phase") { _ = try read(Self.complete.replacing(#"{"idle":{}}"#, with: #"{"paused":{}}"#)) }
  }

  @Test func `A property added deep inside takes its default there`() throws {
    var expected = Self.expected
    expected.profile.address.zip = "75000"
    expected.profile.age = 18
    let text = Self.complete.replacing(#","zip":"z""#, with: "").replacing(#""age":2,"#, with: "")
    #expect(try read(text).state == expected)
  }

  @Test func `A nested struct added whole takes its default`() throws {
    var expected = Self.expected
    expected.profile.address = Address()
    #expect(
      try read(Self.complete.replacing(#""address":{"city":"c","zip":"z"},"#, with: "")).state == expected
    )
  }

  @Test func `An array's element never borrows from the element at its place in the default`() {
    let text = Self.complete.replacing(#""items":[]"#, with: #""items":[{"title":"milk"}]"#)
    expectNoFit("items.Index 0.done: it is missing") { _ = try read(text) }
  }

  @Test func `A property added to an array's elements is put in by a migration`() throws {
    let text = Self.complete.replacing(#""items":[]"#, with: #""items":[{"title":"milk"},{"title":"eggs"}]"#)
    let (state, _) = try read(text, version: 0, now: 1) { _, archive in
      archive["items"]?.changeEach { $0["done"] = false }
    }
    #expect(state.items == [Item(title: "milk", done: false), Item(title: "eggs", done: false)])
  }

  @Test func `A newer version than the code's is refused`() {
    #expect(throws: ArchiveError.newerVersion(found: 3, known: 2)) {
      try read(Self.complete, version: 3, now: 2)
    }
  }

  @Test func `Migrations run once for each version, in order`() throws {
    let versions = Recorder<Int>()
    _ = try read(Self.complete, version: 1, now: 4) { version, _ in versions.append(version) }
    #expect(versions.all == [1, 2, 3])
  }

  @Test func `A migration that throws is reported`() {
    struct Refusal: Error {}
    expectNoFit("its migration failed: Refusal()") {
      _ = try read(Self.complete, version: 0, now: 1) { _, _ in throw Refusal() }
    }
  }

  @Test func `An archive of the older framework is read as version 0, and is to be rewritten`() throws {
    let data = try #require(Self.complete.data(using: .utf16))
    #expect(data.starts(with: [0xFF, 0xFE]))
    let (state, isCurrent) = try ArchiveShape(initial: AppState()).decode(data, for: "Fx.1.app")
    #expect(state == Self.expected)
    #expect(!isCurrent)
  }

  @Test func `A big-endian archive of the older framework is read`() throws {
    let data = Data([0xFE, 0xFF]) + Data(Self.complete.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    #expect(try ArchiveShape(initial: AppState()).decode(data, for: "Fx.1.app").state == Self.expected)
  }

  @Test func `Plain JSON text without a mark is no archive`() {
    #expect(throws: ArchiveError.corrupt(reason: "it has no mark of an archive")) {
      try ArchiveShape(initial: AppState()).decode(Data(Self.complete.utf8), for: "Fx.1.app")
    }
  }

  @Test func `An archive of another key is refused`() {
    let archive = ArchiveFormat.wrap(Data("{}".utf8), as: ArchiveHeader(stateVersion: 0, key: "other"))
    #expect(throws: ArchiveError.corrupt(reason: "it was saved under the key \"other\"")) {
      try ArchiveShape(initial: AppState()).decode(archive, for: "app")
    }
  }

  @Test func `Numbers keep all their digits through a repair`() throws {
    struct Precise: Codable, Sendable, Equatable {
      var large = UInt64.max
      var decimal = Decimal(string: "0.1234567890123456789012345678901234")
      var added = 1
    }
    let text = #"{"decimal":0.1234567890123456789012345678901234,"large":18446744073709551615}"#
    let archive = ArchiveFormat.wrap(Data(text.utf8), as: ArchiveHeader(stateVersion: 0, key: "k"))
    #expect(try ArchiveShape(initial: Precise()).decode(archive, for: "k").state == Precise())
  }

  private func read(
    _ text: String,
    version: Int = 0,
    now: Int = 0,
    migrate: @escaping ArchiveShape<AppState>.Migration = { _, _ in }
  ) throws -> (state: AppState, isCurrent: Bool) {
    let archive = ArchiveFormat.wrap(Data(text.utf8), as: ArchiveHeader(stateVersion: version, key: "app"))
    let shape = ArchiveShape(version: now, initial: AppState(), migrate: migrate)
    return try shape.decode(archive, for: "app")
  }

  private func expectNoFit(_ beginning: String, _ read: () throws -> Void) {
    do {
      try read()
      Issue.record("it was read")
    } catch ArchiveError.doesNotFit(let reason) {
      #expect(reason.hasPrefix(beginning))
    } catch {
      Issue.record(error)
    }
  }
}
