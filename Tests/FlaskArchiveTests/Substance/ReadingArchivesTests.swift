import FlaskArchive
import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// What a substance makes of its archive when it is made.
  @Suite struct ReadingArchivesTests {
    private let backend = BackendProbe()

    @Test func `the archived state is there when the substance is made`() {
      Vault<Tally>(in: backend).change { $0.prop.counter = 5 }
      Archivers.shared.flush()
      let vault = Vault<Tally>(in: backend)
      #expect(vault.state.counter == 5)
      #expect(vault.prop.counter == 5)
      #expect(FaultLog.takeKinds() == [.propOutsideMix])
    }

    @Test func `a place that is no backend archives nothing, and is a fault`() {
      struct Nowhere: ArchivePlace {}
      let kinds = Recorder<FlaskFault.Kind>()
      let flux = Flux()
      flux.onFault = { kinds.append($0.kind) }
      let substance = Flux.$current.withValue(flux) {
        Substance(Tally(), name: "lost", archive: true, in: Nowhere())
      }
      substance.mix { $0.counter = 5 }
      #expect(kinds.all == [.archiveOff])
      #expect(substance.state.counter == 5)
      #expect(!substance.archiveNow())
      #expect(kinds.all == [.archiveOff, .archiveOff])
    }

    @Test func `a refused place is refused by each later request, with its reason`() async {
      struct Nowhere: ArchivePlace {}
      let messages = Recorder<String>()
      let flux = Flux()
      flux.onFault = { messages.append($0.message) }
      let substance = Flux.$current.withValue(flux) {
        Substance(Tally(), name: "lost", archive: true, in: Nowhere())
      }
      let refusal = "lost is not archived: Nowhere is no `ArchiveBackend`; make it conform to that protocol"
      #expect(messages.take() == [refusal])
      substance.shouldArchive = true
      #expect(messages.take() == [refusal])
      #expect(!substance.shouldArchive)
      substance.mix { $0.counter = 5 }
      #expect(messages.take() == [])
      #expect(!archiveNow(substance))
      #expect(await !substance.archiveNow())
      #expect(!substance.purgeArchive())
      #expect(!ArchiveGroup("other", in: backend).join(substance))
      #expect(messages.take() == [refusal, refusal, refusal, refusal])
      substance.archive(in: backend)
      #expect(messages.take() == [refusal])
      await #expect(throws: ArchiveError.refused(reason: refusal)) { try await substance.save() }
      await #expect(throws: ArchiveError.refused(reason: refusal)) { try await substance.requireOpened() }
      #expect(messages.take() == [])
      #expect(backend.saves == 0)
    }

    /// The overload that waits, from an asynchronous test.
    private func archiveNow(_ substance: Substance<Tally>) -> Bool { substance.archiveNow() }

    @Test func `a substance that forbids archiving joins no group, and says so`() {
      final class Forbidding: Substance<Tally>, @unchecked Sendable {
        override func archiveDisabled() -> Bool { true }
      }
      let substance = Forbidding(Tally(), name: "forbidding", archive: false)
      #expect(!ArchiveGroup("other", in: backend).join(substance))
      let fault = FaultLog.current.take().first
      #expect(fault?.message == "forbidding is not archived: its `archiveDisabled()` is `true`")
      #expect(!substance.shouldArchive)
    }

    @MainActor @Test func `opened reads on another thread, for the flux of its caller`() async {
      Vault<Tally>(in: backend).change { $0.prop.counter = 5 }
      _ = await Archivers.shared.flush()
      let (backend, flux) = (backend, Flux())
      let (vault, wasOnMain) = await Flux.$current.withValue(flux) {
        await Flask.opened { (Vault<Tally>(in: backend), MainThread.isCurrent) }
      }
      #expect(vault.state.counter == 5)
      #expect(vault.flux === flux)
      #expect(!wasOnMain)
      #expect(MainThread.isCurrent)
    }

    @Test func `what was read is what mixes continue from, and notifies no reactor`() {
      Vault<Tally>(in: backend).change { $0.prop.counter = 5 }
      Archivers.shared.flush()
      let tally = Watched(Vault<Tally>(in: backend))
      tally.mix { $0.prop.text = "x" }
      #expect(tally.heard.all == [["text"]])
      tally.mix { $0.prop.counter += 1 }
      #expect(tally.substance.state.counter == 6)
    }

    @Test func `without an archive it is the initial state, and no fault`() {
      #expect(Vault<Tally>(in: backend).state.counter == 0)
      #expect(backend.saves == 0)
    }

    @Test func `off, nothing is read and nothing written`() {
      Vault<Tally>(in: backend).change { $0.prop.counter = 5 }
      Archivers.shared.flush()
      let vault = Vault<Tally>(in: backend, archive: false)
      #expect(vault.state.counter == 0)
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(60))
      Archivers.shared.flush()
      #expect(backend.saves == 1)
    }

    @Test func `what cannot be read now is a fault that names the substance, and is not written over`() throws
    {
      Vault<Tally>(in: backend).change { $0.prop.counter = 5 }
      Archivers.shared.flush()
      let archive = try backend.load("Fx.1.vault")
      backend.failLoading(true)
      let vault = Vault<Tally>(in: backend)
      backend.failLoading(false)
      let faults = FaultLog.current.take()
      #expect(faults.map(\.kind) == [.archiveUnreadable])
      #expect(
        faults.allSatisfy { $0.message.hasPrefix(#"Archive "Fx.1.vault" of vault: it could not be read"#) }
      )
      #expect(faults.allSatisfy { $0.fileID.hasSuffix("Vault.swift") })
      #expect(vault.state.counter == 0)
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(60))
      vault.name(as: "vault")
      #expect(!vault.archiveNow())
      #expect(FaultLog.takeKinds() == [.archiveNotSaved, .archiveNotSaved])
      #expect(try backend.load("Fx.1.vault") == archive)
      #expect(vault.purgeArchive())
      #expect(vault.archiveNow())
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    @Test func `a corrupt archive is quarantined byte for byte, and a fault says where`() throws {
      let bytes = Data("FlaskArc, but nothing of the kind".utf8)
      try backend.save(bytes, for: "Fx.1.vault")
      let vault = Vault<Tally>(in: backend)
      let faults = FaultLog.current.take()
      #expect(faults.map(\.kind) == [.archiveCorrupt])
      #expect(
        faults.allSatisfy { $0.message.contains(#"of vault"#) && $0.message.contains("Fx.1.vault.corrupt-1") }
      )
      #expect(vault.state.counter == 0)
      #expect(try backend.load("Fx.1.vault.corrupt-1") == bytes)
      #expect(try backend.load("Fx.1.vault") == nil)
      #expect(vault.archiveNow())
      #expect(try backend.load("Fx.1.vault.corrupt-1") == bytes)
    }

    @Test func `Flask.onFault hears of archives on a flux without a handler of its own`() async throws {
      let heard = Recorder<FlaskFault.Kind>()
      try backend.save(Data("x".utf8), for: "Fx.1.mute")
      let old = Flask.onFault
      Flask.onFault = { if $0.message.contains("Fx.1.mute") { heard.append($0.kind) } else { old($0) } }
      defer { Flask.onFault = old }
      Flux.$current.withValue(Flux()) { _ = Vault<Tally>("mute", in: backend) }
      #expect(heard.all == [.archiveCorrupt])
    }

    @Test func `an older archive is read, and rewritten in the new form by the next save`() throws {
      try backend.saveOlder(#"{"counter":7,"text":"ü","_hidden":3}"#)
      let vault = Vault<Tally>(in: backend)
      #expect(vault.state.counter == 7)
      #expect(vault.state.text == "ü")
      #expect(vault.state._hidden == 3)
      vault.change { $0.prop.counter = 8 }
      vault.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":3,"counter":8,"text":"ü"}"#)
      #expect(try backend.load("Fx.1.vault")?.starts(with: Data("FlaskArc".utf8)) == true)
    }

    @Test func `properties that were added take their defaults, those that were lost are ignored`() throws {
      try backend.saveOlder(#"{"info":{"title":"t","nest":{"bar":9},"gone":1},"lost":[],"scores":{"a":1}}"#)
      let state = Vault<Profile>(in: backend).state
      #expect(state.info.title == "t")
      #expect(state.info.nest.bar == 9)
      #expect(state.info.nest.foo == "bar")
      #expect(state.address == nil)
      #expect(state.scores == ["a": 1])
      #expect(state.list == [])
    }

    @Test func `an optional that was set comes back, and one that was nil stays nil`() throws {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.maybe = 4 }
      #expect(vault.archiveNow())
      #expect(Vault<Tally>("vault", in: backend, archive: false).state.maybe == nil)
      try backend.saveOlder(#"{"counter":1,"maybe":4}"#, for: "Fx.1.some")
      try backend.saveOlder(#"{"counter":1,"maybe":null}"#, for: "Fx.1.none")
      #expect(Vault<Tally>("some", in: backend).state.maybe == 4)
      #expect(Vault<Tally>("none", in: backend).state.maybe == nil)
    }

    @Test func `64 KB are read and saved on small stacks`() async {
      let (backend, flux) = (backend, Flux.current)
      let state = await OtherThread.run(stack: 512 * 1024) {
        Flux.$current.withValue(flux) {
          let vault = Vault<LargeState>(in: backend)
          vault.change { $0.prop.right.h.h.h.h = 3 }
          vault.archiveNow()
          vault.change { $0.prop.left.a.a.a.a = 4 }
          vault.pass(.seconds(2))
          vault.change { $0.prop.left.a.a.a.b = 5 }
          Archivers.shared.flush()
          vault.name(as: "other")
          let copy = Vault<LargeState>(in: backend)
          return [copy.state.right.h.h.h.h, copy.state.left.a.a.a.a, copy.state.left.a.a.a.b]
        }
      }
      #expect(state == [3, 4, 5])
    }
  }
}
