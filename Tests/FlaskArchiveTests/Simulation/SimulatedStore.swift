import FlaskPrimitives
import Foundation

@_spi(Checks) @testable import FlaskArchive

/// Archives in memory that fail before or after they have written, return slices, and let events happen during a save.
/// After the kill of its process nothing reaches it any more.
final class SimulatedStore: ArchiveBackend {
  /// When a save or a removal fails.
  enum Failure: Sendable {
    case before
    case after
  }

  struct Failed: Error {}

  private struct Contents {
    var bytes: [String: Data]
    var failures: [Failure] = []
    var isDead = false
    var writtenFailures = 0
    var duringSave: (@Sendable () -> Void)?
  }

  private let contents: Lock<Contents>

  init(_ bytes: [String: Data] = [:]) { contents = Lock(Contents(bytes: bytes)) }

  var location: String { "simulated:\(UInt(bitPattern: ObjectIdentifier(self)))" }
  var bytes: [String: Data] { contents.withLock { $0.bytes } }

  /// How many calls have failed although they have written.
  var writtenFailures: Int { contents.withLock { $0.writtenFailures } }

  /// The next saves and removals fail.
  func fail(_ failures: [Failure]) { contents.withLock { $0.failures = failures } }

  /// Calls `body` once, during the next save, on its thread.
  func during(_ body: @escaping @Sendable () -> Void) {
    contents.withLockReleasing { contents in
      defer { contents.duringSave = body }
      return contents.duringSave
    }
  }

  /// The process ends at this moment.
  func kill() { contents.withLock { $0.isDead = true } }

  func load(_ key: String) throws -> Data? {
    // A slice, as a database returns it.
    contents.withLock { $0.bytes[key] }.map { (Data([0]) + $0).dropFirst() }
  }

  func save(_ data: Data, for key: String) throws {
    contents.withLock { $0.duringSave.take() }?()
    try change { $0[key] = Data(data) }
  }

  func remove(_ key: String) throws { try change { $0[key] = nil } }

  func keys(withPrefix prefix: String) throws -> [String] {
    contents.withLock { $0.bytes.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  private func change(_ body: (inout [String: Data]) -> Void) throws {
    let isFailing = contents.withLock { contents in
      if contents.isDead { return false }
      let failure = contents.failures.isEmpty ? nil : contents.failures.removeFirst()
      if failure != .before { body(&contents.bytes) }
      if failure == .after { contents.writtenFailures += 1 }
      return failure != nil
    }
    if isFailing { throw Failed() }
  }
}
