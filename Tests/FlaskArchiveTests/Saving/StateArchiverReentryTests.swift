@testable import FlaskPrimitives
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// An archiver that is called from inside of what it calls, and from many threads.
@Suite struct StateArchiverReentryTests {
  private let disk = FailingArchive()

  @Test func `Encoding and saving keep no one waiting who changes the state`() {
    let gate = GatedArchive()
    let bench = Bench(gate)
    bench.change(to: 1)
    bench.clock.advance(by: .seconds(2))
    gate.waitUntilSaving()
    bench.change(to: 2)
    #expect(gate.isSaving)
    gate.open()
    bench.archiver.waitForWork()
    bench.pass(.seconds(2))
    #expect(bench.archived() == 2)
  }

  @Test(arguments: [1, 40]) func `A state that saves itself while it is encoded is reported as such`(
    levels: Int
  )
    throws
  {
    let archiver = Lock<StateArchiver<HookedChain>?>(nil)
    let errors = Recorder<ArchiveError>()
    let selfish = StateArchiver(length: levels, in: disk) {
      do throws(ArchiveError) {
        try archiver.withLock { $0 }?.archiveNow()
      } catch {
        errors.append(error)
      }
    }
    archiver.withLock { $0 = selfish }
    try selfish.archiveNow()
    #expect(Set(errors.all) == [.reentrant(key: "chain")])
    archiver.withLock { $0 = nil }
  }

  @Test func `A backend that is asked something from inside its work does not wait for itself`() throws {
    let memory = MemoryArchive()
    let archiver = Lock<StateArchiver<Bench.Counter>?>(nil)
    let backend = CallingArchive(over: memory) {
      archiver.withLock { $0 }?.stateChanged()
      try? archiver.withLock { $0 }?.archiveNow()
      archiver.withLock { $0 }?.close()
    }
    let bench = Bench(backend)
    archiver.withLock { $0 = bench.archiver }
    _ = bench.archiver.load()
    try bench.archiver.archiveNow()
    try bench.archiver.purge()
    #expect(backend.calls.all == ["location", "load", "load", "save", "remove", "load"])
    archiver.withLock { $0 = nil }
  }

  @Test func `A fault handler may save, and flush`() {
    let memory = MemoryArchive()
    let failing = FailingArchive(over: memory, saving: .system(call: "write", code: EIO, path: "/x"))
    let registry = Archivers()
    let other = Bench(memory, registry: registry, key: "other")
    let clock = ManualArchiveScheduler()
    let done = DispatchSemaphore(value: 0)
    let archiver = StateArchiver(
      key: "app",
      owner: "test",
      in: failing,
      as: ArchiveShape(initial: Bench.Counter()),
      scheduler: clock,
      onFault: { _ in
        failing.setSaving(nil)
        other.change(to: 5)
        registry.flush()
        done.signal()
      },
      snapshot: { Bench.Counter(count: 1) }
    )
    archiver.stateChanged()
    clock.advance(by: .seconds(2))
    done.wait()
    #expect(other.archived(key: "other") == 5)
  }

  @Test func `Two hundred threads that archive at once all come through`() {
    let bench = Bench(disk)
    DispatchQueue.concurrentPerform(iterations: 200) { count in
      bench.change(to: count)
      try? bench.archiver.archiveNow()
    }
    #expect(bench.archived() != nil)
    #expect(bench.faults.all == [])
  }
}
