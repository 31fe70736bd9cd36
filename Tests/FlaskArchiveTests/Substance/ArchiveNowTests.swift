import FlaskArchive
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Saving at once, on demand.
  @Suite struct ArchiveNowTests {
    private let backend = BackendProbe()

    /// The overload that waits, from an asynchronous test.
    private func archive(_ vault: Substance<Tally>) -> Bool { vault.archiveNow() }
    private func flush() -> Bool { Flask.flushArchives() }

    private enum Meanwhile: CaseIterable { case purge, cancellation, lock }

    @Test(arguments: Meanwhile.allCases)
    private func `an awaited save has the mix that is in progress, whatever happens meanwhile`(
      _ event: Meanwhile
    ) async {
      let vault = Vault<Tally>(in: backend)
      let (begun, gate) = (Signal(), Gate())
      async let mix: Void = OtherThread.run {
        _ = vault.mix {
          begun.fire()
          gate.wait()
          $0.counter = 7
        }
      }
      await begun.wait()
      let lock = event == .lock ? Flask.lock() : nil
      let saving = Signal()
      let save = Task {
        saving.fire()
        return await vault.archiveNow()
      }
      await saving.wait()
      // The mark is in the queue.
      try? await Task.sleep(for: .milliseconds(50))
      switch event {
      case .purge: Flask.purgeFluxQueue()
      case .cancellation: save.cancel()
      case .lock: break
      }
      try? await Task.sleep(for: .milliseconds(50))
      #expect(backend.saves == 0)
      gate.open()
      await mix
      #expect(await save.value)
      #expect(backend.text()?.contains(#""counter":7"#) == true)
      lock?.release()
    }

    @Test func `archiveNow returns when the state is saved`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      #expect(vault.archiveNow())
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
      vault.pass(.seconds(60))
      #expect(backend.saves == 1)
    }

    @Test func `archiveNow saves a state that has not changed`() {
      #expect(Vault<Tally>(in: backend).archiveNow())
      #expect(backend.text() == #"{"_hidden":0,"counter":0,"text":""}"#)
    }

    @Test func `inside a reaction archiveNow saves the new state`() {
      let vault = Vault<Tally>(in: backend)
      let seen = Recorder<String?>()
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [vault]) { [backend] _, _ in
        vault.archiveNow()
        seen.append(backend.text())
      }
      reactor.mix(vault) { $0.prop.counter = 1 }.react(isolation: nil)
      #expect(seen.all == [#"{"_hidden":0,"counter":1,"text":""}"#])
      reactor.unbind()
    }

    @Test func `inside a mix archiveNow saves the state before it`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { [backend] in
        $0.prop.counter = 1
        #expect($0.archiveNow())
        #expect(backend.text() == #"{"_hidden":0,"counter":0,"text":""}"#)
      }
      vault.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    @Test func `the asynchronous form suspends until the state is saved`() async {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      #expect(await vault.archiveNow())
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    @Test func `a failure is false and a fault, in both forms`() async {
      let vault = Vault<Tally>(in: backend)
      backend.failSaving(true)
      #expect(archive(vault) == false)
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      #expect(await vault.archiveNow() == false)
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      // It is tried again, although the state has not changed.
      backend.failSaving(false)
      vault.pass(.seconds(60))
      #expect(backend.text() == #"{"_hidden":0,"counter":0,"text":""}"#)
    }

    @Test func `with archiving off it is a fault at the call`() async {
      let vault = Vault<Tally>(in: backend, archive: false)
      let line: UInt = #line + 1
      #expect(archive(vault) == false)
      #expect(await vault.archiveNow(line: line) == false)
      let faults = FaultLog.current.take()
      #expect(faults.map(\.kind) == [.archiveOff, .archiveOff])
      #expect(faults.allSatisfy { $0.fileID == "FlaskArchiveTests/ArchiveNowTests.swift" })
      #expect(faults.last?.line == line)
      #expect(
        faults.last?.message
          == "vault was to be archived now, but archiving is off; set `shouldArchive`, pass `archive: true`, or call "
          + "`archive()` in the initialiser of a store"
      )
      #expect(backend.saves == 0)
    }

    @Test func `flushArchives saves what has changed`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      Flask.flushArchives()
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
      Flask.flushArchives()
      #expect(backend.saves == 1)
    }

    @Test func `flushArchives suspends in its asynchronous form`() async {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      await Flask.flushArchives()
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }
  }
}
