import FlaskArchive
import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Substances that come, go, change their names and share them.
  @Suite struct ArchiveLifetimeTests {
    private final class Parting: Vault<Tally>, @unchecked Sendable {
      deinit { archiveNow() }
    }

    private let backend = BackendProbe()

    @Test func `what is unsaved when a substance goes is saved`() {
      Vault<Tally>(in: backend).change { $0.prop.counter = 1 }
      Archivers.shared.flush()
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    @Test func `what is unsaved when archiving is turned off stays so, also when the substance goes`() {
      do {
        let vault = Vault<Tally>(in: backend)
        vault.change { $0.prop.counter = 1 }
        vault.shouldArchive = false
        vault.pass(.seconds(60))
        vault.change { $0.prop.counter = 2 }
        vault.pass(.seconds(60))
      }
      Archivers.shared.flush()
      #expect(backend.saves == 0)
    }

    @Test func `a released substance turned off before its save is not saved`() {
      do {
        let vault = Vault<Tally>(in: backend)
        vault.change { $0.prop.counter = 1 }
        vault.shouldArchive = false
      }
      Archivers.shared.flush()
      #expect(backend.saves == 0)
    }

    @Test func `turned on later, it is saved from the next change on, and nothing is read`() {
      let vault = Vault<Tally>(in: backend, archive: false)
      vault.change { $0.prop.counter = 1 }
      vault.shouldArchive = true
      #expect(vault.shouldArchive)
      vault.pass(.seconds(60))
      #expect(backend.saves == 0)
      vault.change { $0.prop.text = "x" }
      vault.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":"x"}"#)
    }

    @Test func `an archived substance and its state are released`() {
      let gone = Recorder<String>()
      weak var vault: Vault<Holder>?
      do {
        let kept = Vault<Holder>(in: backend)
        vault = kept
        kept.change { $0.prop.token = LastWords { gone.append("state") } }
        #expect(kept.archiveNow())
        kept.change { $0.prop.counter = 2 }
        kept.pass(.seconds(2))
        kept.pass(.seconds(60))
      }
      #expect(vault == nil)
      #expect(gone.all == ["state"])
    }

    @Test func `one that goes with unsaved changes is released once they are saved`() async {
      let gone = Signal()
      do { Vault<Holder>(in: backend).change { $0.prop.token = LastWords { gone.fire() } } }
      await gone.wait()
      #expect(backend.text() == #"{"counter":0}"#)
    }

    @Test func `a deinit may archive`() {
      do { Parting(in: backend).change { $0.prop.counter = 1 } }
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    @Test func `another name is another key; what was unsaved goes to the old one`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      vault.name(as: "safe")
      vault.change { $0.prop.counter = 2 }
      vault.pass(.seconds(2))
      Archivers.shared.flush()
      #expect(backend.keys(withPrefix: "") == ["Fx.1.safe", "Fx.1.vault"])
      #expect(backend.text("Fx.1.safe") == #"{"_hidden":0,"counter":2,"text":""}"#)
      #expect(Vault<Tally>("safe", in: MemoryArchive()).state.counter == 0)
    }

    @Test func `the same name again changes nothing`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      vault.name(as: "vault")
      vault.pass(.seconds(2))
      #expect(backend.saves == 1)
    }

    @Test
    func
      `one that is switched off owns its key no longer, alone and in a group, and may be switched on again`()
    {
      let group = ArchiveGroup("switched", in: backend)
      for place in [backend, group] as [any ArchiveBackend] {
        let old = Substance<Tally>(name: "switched", archive: true, in: place)
        old.change { $0.prop.counter = 1 }
        #expect(old.archiveNow())
        old.shouldArchive = false
        old.change { $0.prop.counter = 2 }
        let new = Substance<Tally>(name: "switched", archive: true, in: place)
        #expect(new.state.counter == 1)
        #expect(FaultLog.current.take().isEmpty)
        new.shouldArchive = false
        old.shouldArchive = true
        #expect(old.archiveNow())
        #expect(Substance<Tally>(name: "switched", archive: true, in: place).state.counter == 2)
        #expect(FaultLog.current.take().map(\.kind) == [.archiveShared])
      }
    }

    @Test func `two live substances of one key are a fault that names both; the last commit is kept`() {
      final class Keyed: Vault<Tally>, @unchecked Sendable {
        override func archiveKey() -> String { "shared" }
      }
      let clock = ManualArchiveScheduler()
      let first = Keyed("first", in: backend, clock: clock)
      let second = Keyed("second", in: backend, clock: clock)
      let faults = FaultLog.current.take()
      #expect(faults.map(\.kind) == [.archiveShared])
      #expect(
        faults.first?.message.contains(
          "several have this key: first (FlaskArchiveTests/Vault.swift:16), second ("
        ) == true
      )
      second.change { $0.prop.counter = 2 }
      clock.advance(by: .milliseconds(500))
      first.change { $0.prop.counter = 1 }
      clock.advance(by: .seconds(30))
      first.waitForArchive()
      #expect(second.archiveNow())
      #expect(backend.text("shared") == #"{"_hidden":0,"counter":1,"text":""}"#)
    }
  }
}
