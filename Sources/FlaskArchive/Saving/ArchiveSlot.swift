internal import FlaskPrimitives
import Foundation

/// The access of this process to one key of one backend location. All reads and writes of the key are made on the queue
/// of the slot, one after another.
///
/// Archivers of one key and location have the same slot. No two slots wait for each other.
final class ArchiveSlot: Sendable {
  private struct Identity: Hashable {
    let location: String
    let key: String
  }

  private static let slots = WeakTable<Identity, ArchiveSlot>()

  /// The members and their changes. The lock is never held during reading, writing or encoding.
  private let ledger = Lock(ArchiveLedger())

  private let work = ArchiveWork()
  private let queue = DispatchQueue(label: "FlaskArchive.slot", qos: .userInitiated)

  private init() {}

  /// Returns the slot of a key, or makes one if the key has no slot in use.
  ///
  /// - Complexity: O(1) on average.
  static func of(_ key: String, in location: String) -> ArchiveSlot {
    slots.object(for: Identity(location: location, key: key)) { ArchiveSlot() }
  }

  /// Asks the ledger, or notes an event in it.
  func decide<Decision>(_ body: (inout ArchiveLedger) -> Decision) -> Decision { ledger.withLock(body) }

  /// True if this thread does the work of this slot. Waiting for the slot would then never end.
  var isWorkingHere: Bool { ArchiveWork.current === work }

  /// Performs `body` on the queue, later.
  func perform(_ body: @escaping @Sendable () -> Void) {
    queue.async { [work] in ArchiveWork.perform(work, body) }
  }

  /// Performs `body` on the queue and waits for it. To avoid a deadlock, `body` is performed at once on this thread in
  /// two cases: this thread does the work of this slot, or of a slot that the work of this slot waits for.
  func performAndWait<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let current = ArchiveWork.current
    if current?.beginWaiting(for: work) == false { return body() }
    defer { current?.endWaiting() }
    return waited { deliver in perform { deliver(body()) } }
  }
}

/// Calls `begin`, and waits for the value that it delivers, once, on any thread.
func waited<Value: Sendable>(_ begin: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
  let handed = Lock<Value?>(nil)
  let done = DispatchSemaphore(value: 0)
  begin { value in
    handed.withLock { $0 = value }
    done.signal()
  }
  while true {
    done.wait()
    if let value = handed.withLock({ $0 }) { return value }
  }
}
