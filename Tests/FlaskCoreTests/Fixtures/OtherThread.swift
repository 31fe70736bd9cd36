import Foundation

/// Runs code on threads of its own, which share nothing with the pool that runs the tests.
enum OtherThread {
  /// Runs `body` on a new thread with a stack of that many bytes, and returns when it has ended.
  static func run<Result: Sendable>(
    stack: Int = 512 * 1024,
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = stack
      thread.start()
    }
  }

  /// Runs `body` on `count` threads at once, and returns when all have ended.
  static func run(times count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count { group.addTask { await run(stack: 512 * 1024) { body(number) } } }
    }
  }
}
