import Foundation

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
import FlaskPrimitives
import TestSupport

// The end of a process, and the next one, which reads.
extension ArchiveProgram {
  /// Ends the process, and begins another one.
  func restart(isKilled: Bool) {
    let ended = process
    if !isKilled {
      // The flux takes no more operations then.
      ended.store.during {}
      _ = faults.take()
      let isSaved = flush()
      ended.settle()
      excuseLost()
      let names = Array(0..<ArchiveEvent.names)
      for name in names where known(name).committed > read(name) {
        let known = known(name)
        if isSaved, !known.isExcused { fail("s\(name) \(known.committed) was lost at the exit, unnoticed") }
      }
      if !isSaved, faults.count == 0 { fail("the exit is false without a fault") }
    }
    ended.store.kill()
    let next = Process(SimulatedStore(ended.store.bytes), faults, lost)
    let old = state.withLock { state in
      let old = state.process
      state.process = next
      for name in state.known.indices { state.known[name].isChanged = false }
      return old
    }
    withExtendedLifetime(old) {}
    for name in 0..<ArchiveEvent.names {
      let number = read(name)
      check(name, number)
      update(name) { known in
        known.committed = number
        known.isExcused = false
      }
    }
  }

  /// What a new process reads now.
  func read(_ name: Int) -> Int {
    guard let place = known(name).place else { return 0 }
    let copy = Process(SimulatedStore(process.store.bytes), Recorder(), Recorder())
    return copy.make(name, place).state.number
  }

  func check(_ name: Int, _ number: Int, at asked: Int? = nil) {
    let known = known(name)
    if number == 0, known.mayBeAbsent, asked ?? 0 == 0 { return }
    if known.mayLinger, known.mayBeAbsent { return }
    if number < known.durable { fail("s\(name) \(known.durable) was durable, and \(number) is read") }
    if let asked, !known.isExcused, number < asked {
      fail("s\(name) \(asked) was saved, and \(number) is read")
    }
    if number > state.withLock({ $0.number }) { fail("s\(name) is read as \(number), which never was") }
  }
}
