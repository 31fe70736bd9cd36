import FlaskSharing
import Synchronization

/// A store that fails when a test says so.
final class ScriptedStore: RecordStore {
  enum Failure: Hashable, Sendable {
    /// Nothing is written.
    case unreachable
    /// The transaction is not done, and the process does not know.
    case cutBefore
    /// The transaction is done, and the process does not know.
    case cutAfter
  }

  private let base: any RecordStore
  private let script = Mutex<Failure?>(nil)

  init(_ base: any RecordStore) { self.base = base }

  var location: String { base.location }

  var failure: Failure? {
    get { script.withLock { $0 } }
    set { script.withLock { $0 = newValue } }
  }

  func read(_ query: RecordQuery) throws -> RecordTail {
    if failure != nil { throw RecordStoreError.unavailable("it was cut off") }
    return try base.read(query)
  }

  func transact(
    _ query: RecordQuery,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> RecordPosition? {
    switch failure {
    case nil: return try base.transact(query, decide)
    case .unreachable: throw RecordStoreError.unavailable("it was cut off")
    case .cutBefore:
      failure = .unreachable
      return try base.transact(query) { tail, fetch in
        _ = try decide(tail, fetch)
        throw RecordStoreError.unknownOutcome("it was cut")
      }
    case .cutAfter:
      failure = .unreachable
      _ = try base.transact(query, decide)
      throw RecordStoreError.unknownOutcome("it was cut")
    }
  }

  func lease(_ name: String, holder: String, for duration: Duration) throws -> Fence? {
    try base.lease(name, holder: holder, for: duration)
  }

  func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    base.observe(group, hint)
  }
}
