import FlaskPrimitives
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// `save()`, which throws the reason, and `requireOpened()`.
  @Suite struct SaveTests {
    private let backend = BackendProbe()

    @Test func `a save returns when the state is durable`() async throws {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 3 }
      try await vault.save()
      #expect(backend.text() == #"{"_hidden":0,"counter":3,"text":""}"#)
    }

    @Test func `a save throws the reason, and reports nothing`() async {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 3 }
      backend.failSaving(true)
      await #expect(throws: ArchiveError.backend(description: "Oops()")) { try await vault.save() }
      #expect(FaultLog.takeKinds() == [])
      backend.failSaving(false)
      vault.pass(.seconds(60))
      #expect(backend.text() == #"{"_hidden":0,"counter":3,"text":""}"#)
    }

    @Test func `a save of what is not archived says so`() async {
      let loose = Substance<Tally>(name: "loose")
      await #expect(throws: ArchiveError.notArchived(name: "loose")) { try await loose.save() }
    }

    @Test func `a group is saved, or throws the reason`() async throws {
      let group = ArchiveGroup("session", in: backend)
      let good = Substance<Tally>(name: "good", archive: true, in: group)
      let bad = Substance<Refusing>(name: "bad", archive: true, in: group)
      good.change { $0.prop.counter = 1 }
      try await group.save()
      bad.mix { $0.number = 1 }
      good.change { $0.prop.counter = 2 }
      await #expect(throws: ArchiveError.self) { try await group.save() }
      await #expect(throws: ArchiveError.self) { try await good.save() }
      #expect(FaultLog.takeKinds() == [])
      bad.mix { $0.number = 0 }
      try await good.save()
      #expect(backend.part("Fx.1.good") == #"{"_hidden":0,"counter":2,"text":""}"#)
    }

    @Test func `a group that cannot be used is an error for each member`() async throws {
      try backend.save(Data("FlaskGrp, damaged".utf8), for: "FxGroup.session")
      let group = ArchiveGroup("session", in: backend)
      for name in ["a", "b"] {
        let member = Substance<Tally>(name: name, archive: true, in: group)
        await #expect(throws: ArchiveError.self) { try await member.requireOpened() }
      }
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
    }

    @Test func `a failure that was thrown is reported when it happens again`() async {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 3 }
      backend.failSaving(true)
      await #expect(throws: ArchiveError.self) { try await vault.save() }
      #expect(FaultLog.takeKinds() == [])
      vault.pass(.seconds(12))
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      backend.failSaving(false)
      vault.pass(.seconds(60))
    }

    @Test func `an archive that this version cannot use is an error for who asks`() async throws {
      try backend.save(
        ArchiveFormat.wrap(Data("{}".utf8), as: ArchiveHeader(stateVersion: 7, key: "Fx.1.vault")),
        for: "Fx.1.vault"
      )
      let vault = Vault<Tally>(in: backend)
      await #expect(throws: ArchiveError.newerVersion(found: 7, known: 0)) { try await vault.requireOpened() }
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      // The next start finds the quarantined copy alone.
      vault.shouldArchive = false
      let again = Vault<Tally>(in: backend)
      await #expect(throws: ArchiveError.self) { try await again.requireOpened() }
      again.change { $0.prop.counter = 1 }
      try await again.save()
      again.shouldArchive = false
      try await Vault<Tally>(in: backend).requireOpened()
      let fresh = Vault<Tally>("fresh", in: backend)
      try await fresh.requireOpened()
      let group = ArchiveGroup("session", in: backend)
      let member = Substance<Tally>(name: "member", archive: true, in: group)
      try await member.requireOpened()
    }
  }
}
