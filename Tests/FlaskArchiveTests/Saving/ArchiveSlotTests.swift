@testable import FlaskPrimitives
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// What one archive does while another one does its work.
@Suite struct ArchiveSlotTests {
  /// Notes whether anything is asked of a key while something else is going on with it.
  private final class WatchfulArchive: ArchiveBackend {
    let overlaps = Recorder<String>()
    let location = UUID().uuidString
    private let archive = MemoryArchive()
    private let busy = Lock<Set<String>>([])
    private let whileSaving: @Sendable (String) -> Void

    init(whileSaving: @escaping @Sendable (String) -> Void = { _ in }) { self.whileSaving = whileSaving }

    private func perform<Result>(_ key: String, _ body: () -> Result) -> Result {
      if !busy.withLock({ $0.insert(key).inserted }) { overlaps.append(key) }
      defer { _ = busy.withLock { $0.remove(key) } }
      return body()
    }

    func load(_ key: String) -> Data? { perform(key) { archive.load(key) } }
    func save(_ data: Data, for key: String) {
      perform(key) {
        whileSaving(key)
        archive.save(data, for: key)
      }
    }
    func remove(_ key: String) { perform(key) { archive.remove(key) } }
    func keys(withPrefix prefix: String) -> [String] { archive.keys(withPrefix: prefix) }
  }

  private func archiver(
    _ key: String,
    in backend: WatchfulArchive,
    hook: @escaping @Sendable () -> Void = {}
  ) -> StateArchiver<HookedChain> {
    StateArchiver(
      key: key,
      owner: ArchiveOwner(name: key),
      in: backend,
      as: ArchiveShape(initial: HookedChain(length: 1) {}),
      schedule: ArchiveSchedule(delay: .seconds(2), cap: .seconds(10)),
      scheduler: ManualArchiveScheduler(),
      registry: Archivers(),
      onFault: { _ in },
      snapshot: { HookedChain(length: 1, hook: hook) }
    )
  }

  private func onThreads(_ bodies: [@Sendable () -> Void]) async {
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread {
        body()
        group.leave()
      }
      .start()
    }
    await withCheckedContinuation { ended in group.notify(queue: .global()) { ended.resume() } }
  }

  @Test func `an archive that is read while another is encoded is read after what is being saved to it`()
    async
  {
    let (isSaving, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let backend = WatchfulArchive { key in
      if key != "inner" { return }
      isSaving.signal()
      // Long enough for somebody who does not wait.
      _ = isOver.wait(timeout: .now() + 0.2)
    }
    let inner = archiver("inner", in: backend)
    let outer = archiver("outer", in: backend) { [self] in
      isSaving.wait()
      _ = archiver("inner", in: backend).load()
      isOver.signal()
    }
    await onThreads([{ try? inner.archiveNow() }, { try? outer.archiveNow() }])
    #expect(backend.overlaps.all == [])
  }

  @Test func `two archives that read each other while they are encoded come through`() async {
    let backend = WatchfulArchive()
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let a = archiver("a", in: backend) { [self] in
      first.signal()
      second.wait()
      _ = archiver("b", in: backend).load()
    }
    let b = archiver("b", in: backend) { [self] in
      second.signal()
      first.wait()
      _ = archiver("a", in: backend).load()
    }
    await onThreads([{ try? a.archiveNow() }, { try? b.archiveNow() }])
    #expect(backend.keys(withPrefix: "").sorted() == ["a", "b"])
  }

  @Test func `slots that no one uses any more make room`() {
    var kept: [ArchiveSlot] = []
    for number in 0..<1_000 {
      let slot = ArchiveSlot.of("\(number % 100)", in: "room")
      if number < 100 { kept.append(slot) }
      #expect(slot === kept[number % 100])
    }
  }
}
