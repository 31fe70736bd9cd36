import Testing

@testable import FlaskCore

@Suite struct FluxQueueStateModelTests {
  @Test func `any sequence of calls answers as the model does`() throws {
    for seed in 0..<UInt64(Workload.count(3000, full: 30000)) {
      var generator = SeededGenerator(seed: seed)
      var queue = FluxQueueState<Int, Int>()
      var model = FluxQueueModel()
      for step in 0..<Int.random(in: 1...80, using: &generator) {
        let note = "seed \(seed), step \(step)"
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3:
          let isAtOnce = queue.beginAtOnce()
          if !isAtOnce { queue.wait(step) }
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
        try #require(queue.waitingCount == model.main.count + model.exclusive.count, "waiting, \(note)")
      }
    }
  }
}
