@testable import FlaskPrimitives
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A state that counts how often it is encoded.
struct Counted: FlaskState {
  static let encodings = Count()

  var number = 0

  init() {}

  enum CodingKeys: CodingKey { case number }

  func encode(to encoder: any Encoder) throws {
    Counted.encodings.add()
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
  }
}

final class Count: Sendable {
  private let number = Lock(0)

  var value: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

/// A state that can be encoded only while its number is 0.
struct Refusing: FlaskState {
  var number = 0

  init() {}

  enum CodingKeys: CodingKey { case number }

  func encode(to encoder: any Encoder) throws {
    guard number == 0 else { throw Oops() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
  }
}

final class Moved: Substance<Profile>, @unchecked Sendable {
  override func archiveVersion() -> Int { 1 }
  override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) throws {
    archive["info"]?.changeEach { nest in nest.rename("bar", to: "foo") }
  }
}

/// What `Profile` was.
struct Older: FlaskState {
  var info: [String: [String: String]] = [:]
}

extension ArchiveGroup {
  /// Moves the clock, and waits until what that has set going is done.
  func pass(_ duration: Duration, _ clock: ManualArchiveScheduler) {
    clock.advance(by: duration)
    archiver.waitForWork()
  }
}

extension AnySubstance {
  /// Waits until all is done that was begun for an archive of its own.
  func waitForSlot(_ key: String, in backend: any ArchiveBackend) {
    ArchiveSlot.of(key, in: backend.location).performAndWait {}
  }
}

extension BackendProbe {
  func parts(of group: String = "session") -> [String: Data] {
    guard let data = try? load("FxGroup.\(group)") else { return [:] }
    return (try? GroupFormat.unwrap(data, name: group)) ?? [:]
  }

  /// The JSON text of a part.
  func part(_ key: String, of group: String = "session") -> String? {
    parts(of: group)[key].map { String(decoding: $0.dropFirst(34 + key.utf8.count), as: UTF8.self) }
  }

  func counter(_ key: String) -> Int? {
    parts()[key].flatMap { try? ArchiveShape(initial: Tally()).decode($0, for: key).state.counter }
  }

  func changeParts(_ change: (inout [String: Data]) -> Void) {
    var parts = parts()
    change(&parts)
    keep(GroupFormat.wrap(parts, name: "session"), "FxGroup.session")
  }

  /// Keeps bytes without counting that as a save.
  func keep(_ data: Data, _ key: String) { archive.save(data, for: key) }
}
