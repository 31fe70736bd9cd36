import Flask
import Foundation
import Synchronization

/// A while in which boards are mixed and read.
final class Run: Sendable {
  private let end: ContinuousClock.Instant
  private let count = Atomic<Int>(0)

  init(seconds: Double) { end = .now + .seconds(seconds) }

  var isOn: Bool { ContinuousClock.now < end }
  var readCount: Int { count.load(ordering: .relaxed) }

  /// Uses each byte of what was read.
  func read(_ texts: String...) {
    if texts.contains(where: { $0.utf8.contains(0) }) { print("A text is torn: \(texts)") }
    count.add(1, ordering: .relaxed)
  }

  func mixOnThisThread(_ board: Board, slowly: Bool = false) {
    while isOn {
      board.mix {
        $0.count += 1
        $0.title = "the title of board number \($0.count)"
        $0.marks.append($0.count)
        if $0.marks.count > 20 { $0.marks.removeFirst(10) }
        $0.names["\($0.count % 4)"] = $0.title
      }
      if slowly { usleep(100) }
    }
  }

  /// Each on a thread of its own: none of those that perform tasks.
  func mix(_ boards: Board..., slowly: Bool = false) {
    for board in boards { Thread.detachNewThread { self.mixOnThisThread(board, slowly: slowly) } }
  }

  /// Performs `readers` as tasks, which are cancelled at the end.
  func perform(_ readers: [@Sendable () async -> Void]) async {
    let tasks = readers.map { reader in Task { await reader() } }
    try? await Task.sleep(until: end)
    for task in tasks {
      task.cancel()
      await task.value
    }
  }
}
