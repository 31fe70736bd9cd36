import Foundation

/// Runs code on threads of its own, which share nothing with the pool that runs the tests.
package enum OtherThread {
  /// Runs `body` on a new thread with a stack of that many bytes, and returns when it has ended.
  package static func run<Result: Sendable>(
    stack: Int = 512 * 1024,
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let once = Once(body)
      let thread = Thread { continuation.resume(returning: once.perform()) }
      thread.stackSize = stack
      thread.start()
    }
  }

  /// Runs `body` on a new thread while this one waits, and with it the actor that it performs.
  package static func runBlocking(_ body: @escaping @Sendable () -> Void) {
    let gate = Gate()
    let once = Once(body)
    let thread = Thread {
      once.perform()
      gate.open()
    }
    thread.start()
    gate.wait()
  }

  /// A closure that is released when it has run, while the thread that ran it may still hold its own.
  ///
  /// `@unchecked Sendable`: `body` is touched by the one thread that performs it.
  package final class Once<Result>: @unchecked Sendable {
    private var body: (@Sendable () -> Result)?
    package init(_ body: @escaping @Sendable () -> Result) { self.body = body }

    /// Once.
    @inline(never)
    package func perform() -> Result {
      guard let body = body.take() else { preconditionFailure("performed twice") }
      return body()
    }
  }

  /// Runs `body` on `count` threads at once, and returns when all have ended.
  package static func run(times count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count { group.addTask { await run(stack: 512 * 1024) { body(number) } } }
    }
  }
}
