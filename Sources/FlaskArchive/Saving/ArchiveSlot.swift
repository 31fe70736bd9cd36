import Dispatch

/// One key of one place in this process: everything that reads or writes it does so on its queue, one after another.
///
/// Archivers of the same key and place have the same slot. No two slots wait for each other.
final class ArchiveSlot: Sendable {
  private struct Identity: Hashable {
    let location: String
    let key: String
  }

  private struct WeakSlot {
    weak var slot: ArchiveSlot?
  }

  /// What is known of the archive. Guarded by a lock, which is never held while anything is read, written or encoded.
  struct Contents {
    /// Who has the archive, in the order in which they came.
    var owners: [(id: ObjectIdentifier, name: String)] = []

    /// The header of the archive as it was last read or written; `nil` when it is not known what is there.
    var header: ArchiveFormat.Fingerprint?

    /// When the state that is in the archive was changed last.
    var lastChange: Duration?
  }

  private static let slots = Lock([Identity: WeakSlot]())
  private static let current = DispatchSpecificKey<Bool>()

  /// What is known of the archive.
  let contents = Lock(Contents())

  private let queue = DispatchQueue(label: "FlaskArchive.slot", qos: .userInitiated)

  private init() {
    queue.setSpecific(key: Self.current, value: true)
  }

  /// The slot of a key, made if there is none in use.
  ///
  /// - Complexity: O(1), and O(*n*) in the number of slots each time one is made.
  static func of(_ key: String, in location: String) -> ArchiveSlot {
    let identity = Identity(location: location, key: key)
    return slots.withLock { slots in
      if let slot = slots[identity]?.slot { return slot }
      slots = slots.filter { $0.value.slot != nil }
      let slot = ArchiveSlot()
      slots[identity] = WeakSlot(slot: slot)
      return slot
    }
  }

  /// Whether this thread is doing the work of some slot.
  static var isWorking: Bool { DispatchQueue.getSpecific(key: current) ?? false }

  /// Performs `work` on the queue, later.
  func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// Performs `work` on the queue and waits for it; at once if this thread is doing the work of a slot already.
  func performAndWait<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
    if Self.isWorking { return work() }
    let result = Lock<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    queue.async {
      let value = work()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 } ?? work()
  }
}
