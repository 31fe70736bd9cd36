import Foundation
import FlaskPrimitives
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

@Suite struct FlushTests {
  private let registry = Archivers()

  @Test func `A flush saves whatever has changed`() {
    let (first, second) = (
      Bench(MemoryArchive(), registry: registry), Bench(MemoryArchive(), registry: registry)
    )
    first.change(to: 1)
    second.change(to: 2)
    #expect(registry.flush())
    #expect(first.archived() == 1)
    #expect(second.archived() == 2)
  }

  @Test func `A flush can be awaited`() async {
    let bench = Bench(MemoryArchive(), registry: registry)
    bench.change(to: 1)
    #expect(await registry.flush())
    #expect(bench.archived() == 1)
  }

  @Test func `A flush leaves alone what has not changed`() {
    let disk = FailingArchive()
    let bench = Bench(disk, registry: registry)
    #expect(registry.flush())
    #expect(disk.saves == 0)
    withExtendedLifetime(bench) {}
  }

  @Test func `A flush that cannot save says so, and reports it`() {
    let bench = Bench(
      FailingArchive(saving: .system(call: "write", code: EIO, path: "/x")),
      registry: registry
    )
    bench.change(to: 1)
    #expect(!registry.flush())
    #expect(bench.faults.all.count == 1)
  }

  @Test(arguments: [1, 40]) func `A flush from the encoding of a state does not wait for it`(levels: Int)
    throws
  {
    let other = Bench(MemoryArchive(), registry: registry, key: "other")
    other.change(to: 3)
    let answers = Recorder<Bool>()
    let archiver = StateArchiver(length: levels, in: MemoryArchive(), registry: registry) { [registry] in
      answers.append(registry.flush())
    }
    archiver.stateChanged()
    try archiver.archiveNow()
    #expect(answers.all.first == false)
    other.archiver.waitForWork()
    #expect(other.archived(key: "other") == 3)
  }

  @Test func `What a flush does not wait for is reported all the same`() throws {
    let failing = FailingArchive(saving: .system(call: "write", code: EIO, path: "/x"))
    let other = Bench(failing, registry: registry, key: "other")
    other.change(to: 3)
    let archiver = StateArchiver(length: 1, in: MemoryArchive(), registry: registry) { [registry] in
      registry.flush()
    }
    try archiver.archiveNow()
    other.archiver.waitForWork()
    other.archiver.waitForFaults()
    #expect(other.faults.all.first?.contains("write failed with 5") == true)
  }

  @Test func `A flush with a limit names what is late, and saves the rest`() {
    let gate = GatedArchive()
    let slow = Bench(gate, registry: registry, key: "slow", owner: "feed")
    let quick = Bench(MemoryArchive(), registry: registry)
    slow.change(to: 1)
    quick.change(to: 2)
    quick.archiver.close()
    quick.archiver.waitForWork()
    #expect(!registry.flush(within: .zero))
    #expect(
      slow.faults.all == [
        """
        Archive "slow" of feed: it was not saved within 0.0 seconds. \
        The save continues as long as the process lives; until it ends the older archive is kept.
        """
      ]
    )
    #expect(quick.archived() == 2)
    gate.open()
    slow.archiver.waitForWork()
    #expect(slow.archived(key: "slow") == 1)
  }

  @Test func `A late save that fails is a fault of its own`() {
    let gate = GatedArchive(failingWith: .system(call: "write", code: EIO, path: "/x"))
    let bench = Bench(gate, registry: registry)
    bench.change(to: 1)
    #expect(!registry.flush(within: .zero))
    gate.open()
    bench.archiver.waitForWork()
    bench.archiver.waitForFaults()
    #expect(bench.faults.all.count == 2)
    #expect(bench.faults.all.last?.contains("write failed with 5") == true)
  }

  @Test func `One save is for all who ask before it begins`() async {
    let gate = GatedArchive()
    let (encoded, faults) = (Recorder<Int>(), Recorder<String>())
    let archiver = StateArchiver(
      key: "app",
      owner: ArchiveOwner(name: "bench"),
      in: gate,
      as: ArchiveShape(initial: 0),
      schedule: ArchiveSchedule(delay: .seconds(2), cap: .seconds(10)),
      scheduler: ManualArchiveScheduler(),
      // Else a flush of another test would wait for the gate.
      registry: registry,
      onFault: { faults.append("\($0)") },
      snapshot: {
        encoded.append(0)
        return encoded.all.count
      }
    )
    // None of it keeps a thread of tasks waiting, which others may need.
    archiver.stateChanged()
    archiver.writer.saveIfUnsaved()
    while !gate.isSaving { await Task.yield() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { try? await archiver.archiveNow() } }
      while archiver.writer.waitingCount < 200 { await Task.yield() }
      gate.open()
      await group.waitForAll()
    }
    #expect(encoded.all.count == 2)
    #expect(faults.all == [])
  }

  @Test func `A flush that ends in its limit has nothing to say`() {
    let bench = Bench(MemoryArchive(), registry: registry)
    bench.change(to: 1)
    #expect(registry.flush(within: .seconds(3_600)))
    #expect(bench.archived() == 1)
    #expect(bench.faults.all == [])
  }
}
