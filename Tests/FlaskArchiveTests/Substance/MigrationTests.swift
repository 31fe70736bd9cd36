import FlaskArchive
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Archives of other versions of the state.
  @Suite struct MigrationTests {
    private final class Second: Vault<Tally>, @unchecked Sendable {
      let steps = Recorder<Int>()

      override func archiveVersion() -> Int { 2 }

      override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) throws {
        steps.append(version)
        if version == 0 { archive.rename("name", to: "text") }
        if version == 1 {
          guard case .number? = archive["counter"] else { throw Oops() }
          archive["counter"] = 20
        }
      }
    }

    private let backend = BackendProbe()

    @Test func `each version is migrated to the next, in order`() throws {
      try backend.saveOlder(#"{"counter":1,"name":"n"}"#)
      let second = Second(in: backend)
      #expect(second.steps.all == [0, 1])
      #expect(second.state.text == "n")
      #expect(second.state.counter == 20)
    }

    @Test func `an archive of the present version is not migrated`() {
      let first = Second(in: backend)
      first.change { $0.prop.counter = 3 }
      #expect(first.archiveNow())
      first.name(as: "other")
      let second = Second(in: backend)
      #expect(second.steps.all == [])
      #expect(second.state.counter == 3)
    }

    @Test func `a migration that throws makes the archive one that is quarantined`() throws {
      try backend.saveOlder(#"{"counter":"many"}"#)
      #expect(Second(in: backend).state.counter == 0)
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      #expect(backend.keys(withPrefix: "Fx.") == ["Fx.1.vault.corrupt-1"])
    }

    @Test func `an archive of a newer version is quarantined`() {
      let newer = Second(in: backend)
      newer.change { $0.prop.counter = 3 }
      #expect(newer.archiveNow())
      newer.name(as: "other")
      #expect(Vault<Tally>(in: backend).state.counter == 0)
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      #expect(backend.keys(withPrefix: "Fx.") == ["Fx.1.vault.corrupt-1"])
    }
  }
}
