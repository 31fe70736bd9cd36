import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Transactions whose tasks are cancelled while they wait.
@Suite(.ownFlux) struct WithdrawnTests {
  private final class Operation {
    let number: Int
    var queueing = FluxOperation.Queueing.queued
    init(_ number: Int) { self.number = number }
  }

  private final class Questions { var count = 0 }

  private func queue(_ questions: Questions = Questions()) -> FluxQueueState<Operation, Int> {
    FluxQueueState(
      begins: { operation in
        questions.count += 1
        defer { operation.queueing = .outside }
        return operation.queueing != .withdrawn
      },
      isWithdrawn: { operation in
        questions.count += 1
        return operation.queueing == .withdrawn
      }
    )
  }

  @Test func `all of n are withdrawn in O(n)`() {
    let questions = Questions()
    var queue = queue(questions)
    queue.lock(1)
    let operations = (0..<20_000).map(Operation.init)
    for operation in operations { queue.enqueue(operation) }
    for operation in operations.reversed() {
      operation.queueing = .withdrawn
      queue.didWithdraw()
    }
    #expect(queue.waitingCount == 0)
    #expect(questions.count < 5 * operations.count)
    #expect(queue.unlock(1) == nil)
  }

  /// Random withdrawals beside purges and removals, compared with a list.
  @Test(arguments: 0..<50) func `what is left begins in order, and is counted`(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var queue = queue()
    queue.lock(1)
    var expected: [Operation] = []
    for number in 0..<600 {
      switch random.next() % 8 {
      case 0..<4:
        let operation = Operation(number)
        queue.enqueue(operation)
        expected.append(operation)
      case 4..<6 where !expected.isEmpty:
        let operation = expected.remove(at: Int(random.next() % UInt64(expected.count)))
        operation.queueing = .withdrawn
        queue.didWithdraw()
      case 6 where number % 5 == 0:
        let dropped = queue.purge { $0.number % 7 == 0 }
        #expect(dropped.map(\.number) == expected.map(\.number).filter { $0 % 7 == 0 })
        expected.removeAll { $0.number % 7 == 0 }
      default:
        let found = queue.removeFirst { $0.number % 11 == 0 }
        let place = expected.firstIndex { $0.number % 11 == 0 }
        #expect(found?.number == place.map { expected[$0].number })
        if let place { expected.remove(at: place) }
      }
      #expect(queue.waitingCount == expected.count)
      #expect(queue.firstWaiting?.number == expected.first?.number)
    }
    var left: [Int] = []
    var next = queue.unlock(1)
    while let operation = next {
      left.append(operation.number)
      next = queue.finish()
    }
    #expect(left == expected.map(\.number))
  }

  @Test func `the transactions of cancelled tasks end, and all others are performed in order`() async {
    let tally = Substance(Tally())
    let order = Recorder<Int>()
    let lock = Flask.lock()
    let flux = Flux.current
    var tasks: [Task<String, Never>] = []
    for number in 0..<300 {
      tasks.append(
        Task {
          do {
            try await tally.transaction { state in
              order.append(number)
              state.counter += 1
            }
            return "done"
          } catch { return "\(type(of: error))" }
        }
      )
      await soon { flux.waitingCount == number + 1 }
    }
    for (number, task) in tasks.enumerated() where number % 3 != 0 { task.cancel() }
    for (number, task) in tasks.enumerated() where number % 3 != 0 {
      #expect(await task.value == "CancellationError")
    }
    #expect(flux.waitingCount == 100)
    lock.release()
    for (number, task) in tasks.enumerated() where number % 3 == 0 { #expect(await task.value == "done") }
    #expect(order.all == (0..<100).map { 3 * $0 })
    #expect(tally.state.counter == 100)
  }
}
