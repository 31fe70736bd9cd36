import Testing

@testable import FlaskCore
import TestSupport

@Suite struct FluxQueueStateModelTests {
  @Test func `any sequence of calls answers as the model does`() throws {
    for seed in 0..<UInt64(Workload.count(3000, full: 30000)) {
      var generator = SeededGenerator(seed: seed)
      var queue = FluxQueueState<Int, Int>()
      var model = FluxQueueModel()
      for step in 0..<Int.random(in: 1...80, using: &generator) {
        let note = "seed \(seed), step \(step)"
        switch Int.random(in: 0..<16, using: &generator) {
        case 0...3:
          let isAtOnce = queue.beginAtOnce()
          if !isAtOnce { queue.enqueue(step) }
          let expected = model.submit(step)
          try #require(isAtOnce == expected, "submit, \(note)")
        case 4:
          queue.lock(step)
          model.locks.append(step)
        case 5:
          let (answer, expected) = (queue.lock(step, with: step), model.lock(step, with: step))
          try #require(answer == expected, "lock with, \(note)")
        case 6, 7:
          let lock = model.locks.randomElement(using: &generator) ?? -1
          let (answer, expected) = (queue.unlock(lock), model.unlock(lock))
          try #require(answer == expected, "unlock, \(note)")
        case 8 where step % 7 == 0:
          for lock in model.locks {
            let (answer, expected) = (queue.unlock(lock), model.unlock(lock))
            try #require(answer == expected, "unlock all, \(note)")
          }
        case 12 where step % 3 == 0:
          queue.lockForReplay(step)
          model.locks.append(step)
          model.replayLocks.append(step)
        case 13:
          let (answer, expected) = (queue.enter(step), model.enter(step))
          try #require(answer == expected, "enter, \(note)")
        case 14:
          let (answer, expected) = (queue.beginFirstWaiting(), model.beginFirstWaiting())
          try #require(answer == expected, "begin the first that waits, \(note)")
        case 15 where step % 5 == 0:
          let isIt = { (operation: Int) in operation % 3 == 0 }
          let answer = queue.removeFirst(where: isIt)
          try #require(answer == model.removeFirst(where: isIt), "remove the first, \(note)")
        case 9 where step % 7 == 0:
          let (answer, expected) = (queue.purge(), model.purge())
          try #require(answer == expected, "purge, \(note)")
        default:
          guard model.isBusy else { continue }
          let (answer, expected) = (queue.finish(), model.finish())
          try #require(answer == expected, "finish, \(note)")
        }
        try #require(queue.isBusy == model.isBusy, "busy, \(note)")
        try #require(queue.locks == model.locks, "locks, \(note)")
        try #require(queue.waitingCount == model.waitingCount, "waiting, \(note)")
      }
    }
  }
}
