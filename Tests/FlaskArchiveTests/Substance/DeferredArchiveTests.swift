import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Archives that are read after their substances have been made.
  @Suite struct DeferredArchiveTests {
    private let slow = SlowArchive()
    private var probe: BackendProbe { slow.probe }

    private func saveEarlier() { slow.saveEarlier() }

    private var saved: Tally? {
      probe.text().flatMap { try? JSONDecoder().decode(Tally.self, from: Data($0.utf8)) }
    }

    private func vault() -> Vault<Tally> { slow.vault() }

    @MainActor @Test func `a placeholder is there at once, and what was read comes in as one operation`()
      async
    {
      saveEarlier()
      let vault = vault()
      let watched = Watched<Tally>(vault)
      #expect(vault.state.counter == 0)
      slow.open()
      await vault.opened()
      #expect(vault.state.counter == 5 && vault.state.text == "kept")
      #expect(watched.heard.all == [["counter", "text"]])
      vault.pass(.seconds(60))
      #expect(probe.saves == 1)
      vault.change { $0.prop.counter = 6 }
      vault.pass(.seconds(2))
      #expect(probe.saves == 2)
      #expect(saved?.counter == 6 && saved?.text == "kept")
      await vault.opened()
    }

    @Test func `mixes that come meanwhile stay, key by key, and are saved with what was read`() async {
      saveEarlier()
      let vault = vault()
      vault.change { $0.prop.counter = 1 }
      vault.change { $0.prop.maybe = 3 }
      vault.clock.advance(by: .seconds(60))
      #expect(await !Flask.flushArchives())
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      #expect(probe.saves == 1)
      slow.open()
      await vault.opened()
      #expect(vault.state.counter == 1 && vault.state.text == "kept" && vault.state.maybe == 3)
      vault.pass(.seconds(2))
      #expect(probe.saves == 2)
      #expect(saved?.counter == 1 && saved?.text == "kept" && saved?.maybe == 3)
    }

    @Test func `parts of a value stay together, whichever one has changed it`() async {
      struct Shape: FlaskState {
        enum Kind: Codable, Equatable { case none, text(String), pair(Int, [String]) }
        var kind = Kind.none
        var other: [String]? = nil
        var size: Double? = nil
      }
      let earlier = Vault<Shape>(in: probe)
      earlier.change {
        $0.prop.kind = .pair(7, ["a"])
        $0.prop.other = ["b"]
        $0.prop.size = 1
      }
      #expect(await earlier.archiveNow())
      earlier.shouldArchive = false
      let vault = Vault<Shape>(in: DeferredArchive(slow))
      vault.change {
        $0.prop.kind = .text("mine")
        $0.prop.size = 2
      }
      slow.open()
      await vault.opened()
      #expect(vault.state.kind == .text("mine") && vault.state.size == 2 && vault.state.other == ["b"])
    }

    @Test func `a key that was mixed and mixed back was never mixed`() async {
      saveEarlier()
      let vault = vault()
      vault.change { $0.prop.counter = 1 }
      vault.change { $0.prop.counter = 0 }
      let heard = Recorder<Int>()
      let observation = vault.observe(\.counter) { heard.append($1) }
      slow.open()
      await vault.opened()
      #expect(vault.state.counter == 5 && vault.state.text == "kept" && heard.all == [5])
      observation.cancel()
      vault.pass(.seconds(2))
      #expect(saved?.counter == 5 && saved?.text == "kept")
    }

    @Test func `a restore point that was captured before has what was read, too`() async {
      saveEarlier()
      let vault = vault()
      vault.change { $0.prop.maybe = 1 }
      vault.captureState()
      vault.change { $0.prop.maybe = 2 }
      slow.open()
      await vault.opened()
      vault.rollbackState()
      #expect(vault.state.counter == 5 && vault.state.text == "kept" && vault.state.maybe == 1)
      vault.commitState()
    }

    @Test func `a handler of what comes in may save it`() async {
      saveEarlier()
      let vault = vault()
      vault.change { $0.prop.maybe = 1 }
      let saves = Recorder<Bool>()
      let observation = vault.observe(\.counter) { _, _ in saves.append(Self.archiveNow(vault)) }
      slow.open()
      await vault.opened()
      #expect(saves.all == [true])
      #expect(saved?.counter == 5 && saved?.maybe == 1)
      observation.cancel()
    }

    @Test func `opened is after the handlers of what comes in`() async throws {
      saveEarlier()
      let vault = vault()
      let (order, told, gate) = (Recorder<String>(), Signal(), DispatchSemaphore(value: 0))
      let observation = vault.observe(\.counter) { _, _ in
        told.fire()
        gate.wait()
        order.append("told")
      }
      slow.open()
      await told.wait()
      let opened = Task {
        await vault.opened()
        order.append("opened")
      }
      try await Task.sleep(for: .milliseconds(20))
      gate.signal()
      await opened.value
      #expect(order.all == ["told", "opened"])
      observation.cancel()
    }

    @Test func `one that is made while another one is released has what that was mixed to`() async {
      saveEarlier()
      do {
        let vault = vault()
        vault.change { $0.prop.maybe = 3 }
      }
      let next = vault()
      slow.open()
      await next.opened()
      #expect(next.state.counter == 5 && next.state.maybe == 3)
      // Both were there for a while.
      #expect(FaultLog.takeKinds() == [.archiveShared])
    }

    @Test func `without an archive what was mixed meanwhile is saved, and nothing is reported`() async {
      let vault = vault()
      let watched = Watched<Tally>(vault)
      slow.open()
      await vault.opened()
      #expect(watched.heard.all == [])
      vault.pass(.seconds(60))
      #expect(probe.saves == 0)
      let other = Vault<Tally>("other", in: DeferredArchive(slow))
      other.change { $0.prop.counter = 1 }
      await other.opened()
      other.pass(.seconds(2))
      #expect(probe.text("Fx.1.other")?.contains(#""counter":1"#) == true)
    }

    @Test
    func `an archive that cannot be used is quarantined, and one that cannot be read is not written over`()
      async throws
    {
      try probe.save(Data("nonsense".utf8), for: "Fx.1.vault")
      let vault = vault()
      vault.change { $0.prop.counter = 1 }
      slow.open()
      await vault.opened()
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      #expect(vault.state.counter == 1)
      vault.pass(.seconds(2))
      #expect(Set(probe.keys(withPrefix: "")) == ["Fx.1.vault", "Fx.1.vault.corrupt-1"])
      probe.failLoading(true)
      let unread = Vault<Tally>("unread", in: DeferredArchive(slow))
      unread.change { $0.prop.counter = 2 }
      await unread.opened()
      probe.failLoading(false)
      #expect(FaultLog.takeKinds() == [.archiveUnreadable])
      #expect(!(await unread.archiveNow()))
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      #expect(probe.text("Fx.1.unread") == nil)
    }

    @Test func `nothing is saved, moved or removed before it is read; awaited, it is`() async {
      saveEarlier()
      let vault = vault()
      vault.change { $0.prop.maybe = 1 }
      let group = ArchiveGroup("session", in: probe)
      #expect(!Self.archiveNow(vault))
      #expect(!vault.purgeArchive())
      #expect(!group.join(vault))
      #expect(FaultLog.takeKinds() == Array(repeating: .archiveNotSaved, count: 3))
      #expect(probe.saves == 1 && probe.keys(withPrefix: "") == ["Fx.1.vault"])
      vault.shouldArchive = true
      let save = Task { await vault.archiveNow() }
      slow.open()
      #expect(await save.value)
      #expect(probe.saves == 2)
      #expect(saved?.counter == 5 && saved?.text == "kept" && saved?.maybe == 1)
      #expect(group.join(vault))
      #expect(FaultLog.takeKinds() == [])
    }

    private static func archiveNow(_ vault: Vault<Tally>) -> Bool { vault.archiveNow() }

    @Test func `switched off meanwhile, nothing comes in and nothing is saved`() async {
      saveEarlier()
      let vault = vault()
      vault.shouldArchive = false
      slow.open()
      await vault.opened()
      await slow.read.wait()
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(60))
      #expect(vault.state.text == "" && probe.saves == 1)
    }

    @Test func `a substance that is released meanwhile is saved all the same`() async {
      saveEarlier()
      var vault: Vault<Tally>? = vault()
      vault?.change { $0.prop.counter = 9 }
      let opened = Task { [vault] in await vault?.opened() }
      vault = nil
      slow.open()
      await opened.value
      _ = await Flask.flushArchives()
      #expect(saved?.counter == 9 && saved?.text == "kept")
    }

    @Test func `awaited under a lock of one's own it is a fault, and continues`() async {
      saveEarlier()
      let vault = vault()
      slow.open()
      await Flask.withLock { await vault.opened() }
      #expect(FaultLog.takeKinds() == [.awaitedUnderLock])
      await vault.opened()
      #expect(vault.state.counter == 5)
    }

    @Test func `opened returns when its task is cancelled`() async {
      let slow = SlowArchive()
      slow.saveEarlier()
      let vault = slow.vault()
      let group = ArchiveGroup("cancelled", in: slow)
      let member = Substance<Tally>(name: "member", archive: true, in: DeferredArchive(group))
      await slow.read.wait()
      for wait in [{ @Sendable in await vault.opened() }, { @Sendable in await group.opened() }] {
        let task = Task { await wait() }
        task.cancel()
        await task.value
      }
      #expect(vault.state.counter != 5)
      let saving = Task { try await vault.save() }
      saving.cancel()
      slow.open()
      await #expect(throws: Never.self) { try await saving.value }
      await vault.opened()
      await group.opened()
      #expect(vault.state.counter == 5)
      withExtendedLifetime(member) {}
    }
  }
}
