import Dispatch
import Foundation

/// Archivers that were not given up, so that all can be made to save.
final class ArchiverRegistry: Sendable {
  /// The registry of the process. The end of the process by `exit` or by the end of `main` makes its archivers save.
  static let shared: ArchiverRegistry = {
    atexit { ArchiverRegistry.shared.flush() }
    return ArchiverRegistry()
  }()

  private let archivers = Lock([ObjectIdentifier: IdleArchiver]())

  /// Keeps an archiver until it is removed.
  func add(_ archiver: IdleArchiver) {
    archivers.withLock { $0[ObjectIdentifier(archiver)] = archiver }
  }

  /// Lets go of an archiver.
  func remove(_ archiver: IdleArchiver) {
    archivers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(archiver)) }
  }

  /// Saves whatever has changed, all archives at once, and waits until it is durable; reports faults on this thread.
  /// Called while this thread does the work of an archive, it does not wait.
  ///
  /// - Returns: whether all is durable.
  /// - Complexity: O(*n*) in the number of archivers.
  @discardableResult
  func flush() -> Bool {
    let done = DispatchSemaphore(value: 0)
    let results = Lock([(archiver: IdleArchiver, outcome: IdleArchiver.Outcome, faults: [ArchiveFault])]())
    let pending = self.pending
    for archiver in pending {
      archiver.save { outcome, faults in
        results.withLock { $0.append((archiver, outcome, faults)) }
        done.signal()
      }
    }
    guard !ArchiveSlot.isWorking else { return pending.isEmpty }
    for _ in pending { done.wait() }
    return results.withLock { $0 }.reduce(true) { isDurable, result in
      result.archiver.report(result.faults)
      if case .failure = result.outcome { return false }
      return isDurable
    }
  }

  /// As the other, without keeping a thread waiting.
  func flush() async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      for archiver in pending {
        group.addTask {
          if case .failure = await archiver.save() { return false }
          return true
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  private var pending: [IdleArchiver] {
    archivers.withLock { Array($0.values) }.filter(\.isPending)
  }
}
