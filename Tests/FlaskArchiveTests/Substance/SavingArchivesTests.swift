import FlaskArchive
import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// When a substance is saved by itself.
  @Suite struct SavingArchivesTests {
    private let backend = BackendProbe()

    @Test func `a change costs one write, 2.000 s after the last change`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      vault.pass(.milliseconds(1_500))
      vault.change { $0.prop.counter = 2 }
      vault.pass(.milliseconds(1_999))
      #expect(backend.saves == 0)
      vault.pass(.milliseconds(1))
      #expect(backend.saves == 1)
      #expect(backend.text() == #"{"_hidden":0,"counter":2,"text":""}"#)
      vault.pass(.seconds(60))
      #expect(backend.saves == 1)
    }

    @Test func `under steady change for 60 s the archive is never older than 10 s`() {
      let vault = Vault<Tally>(in: backend)
      var ages: [Int] = []
      for tick in 1...600 {
        vault.change { $0.prop.counter = tick }
        vault.pass(.milliseconds(100))
        let archived = backend.text().flatMap {
          $0.split(separator: ":").dropFirst(2).first?.split(separator: ",").first
        }
        ages.append(tick - (archived.flatMap { Int($0) } ?? 0))
      }
      #expect(backend.saves == 6)
      #expect(ages.max() == 99)
    }

    @Test func `a state that comes back to what is archived is not written`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(2))
      vault.change { $0.prop.counter = 2 }
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(2))
      #expect(backend.saves == 1)
    }

    @Test func `a mix that changes nothing and one that is aborted are not written`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 0 }
      vault.change {
        $0.prop.counter = 9; throw Oops()
      }
      #expect(FaultLog.takeKinds() == [.errorDropped])
      vault.pass(.seconds(60))
      #expect(backend.saves == 0)
      // The answer is about all archives of the process.
      _ = Archivers.shared.flush()
      #expect(backend.saves == 0)
    }

    @Test func `a property with an underscore is saved although no reactor hears of it`() {
      let tally = Watched(Vault<Tally>(in: backend))
      tally.mix { $0.prop._hidden = 4 }
      #expect(tally.heard.count == 0)
      (tally.substance as? Vault<Tally>)?.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":4,"counter":0,"text":""}"#)
    }

    @Test func `a rollback is saved`() {
      let vault = Vault<Tally>(in: backend)
      vault.captureState()
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(2))
      vault.rollbackState()
      vault.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":0,"counter":0,"text":""}"#)
    }

    @Test func `of a chain over several substances each archived one is saved`() {
      let clock = ManualArchiveScheduler()
      let first = Vault<Tally>("first", in: backend, clock: clock)
      let second = Vault<Tally>("second", in: backend, clock: clock)
      let third = Vault<Tally>("third", in: backend, archive: false, clock: clock)
      let owner = Owner()
      Flask.reactor(attachedTo: owner, mixing: [first, second, third])
        .mixing(first) { $0.prop.counter = 1 }
        .with(second) { $0.prop.counter = 2 }
        .with(third) { $0.prop.counter = 3 }
        .andReact(isolation: nil)
      first.pass(.seconds(2))
      second.waitForArchive()
      #expect(backend.text("Fx.1.first") == #"{"_hidden":0,"counter":1,"text":""}"#)
      #expect(backend.text("Fx.1.second") == #"{"_hidden":0,"counter":2,"text":""}"#)
      #expect(backend.keys(withPrefix: "").count == 2)
    }

    @Test func `a reactive substance is archived like any other`() {
      final class Bank: ReactiveSubstance<Tally, ClerkMixers>, @unchecked Sendable {
        override func defineMixers() {
          define(mix: .add) { _, react, _ in
            self.prop.counter += 1
            react()
          }
        }
      }
      for _ in 0..<3 {
        let bank = Bank(name: "bank", archive: true, in: backend)
        Flask.substances(reactTo: ClerkMixers.add)
        #expect(bank.archiveNow())
      }
      #expect(backend.text("Fx.1.bank") == #"{"_hidden":0,"counter":3,"text":""}"#)
    }

    @Test func `a save that fails is one fault, loses nothing, and is made later`() {
      let vault = Vault<Tally>(in: backend)
      backend.failSaving(true)
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(2))
      vault.pass(.seconds(30))
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      #expect(vault.state.counter == 1)
      backend.failSaving(false)
      vault.pass(.seconds(10))
      #expect(backend.text() == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    @Test func `a purged archive is absent, and comes back with the next change`() {
      let vault = Vault<Tally>(in: backend)
      vault.change { $0.prop.counter = 1 }
      vault.pass(.seconds(2))
      #expect(vault.purgeArchive())
      vault.pass(.seconds(60))
      #expect(backend.keys(withPrefix: "") == [])
      #expect(vault.state.counter == 1)
      vault.change { $0.prop.counter = 2 }
      vault.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":0,"counter":2,"text":""}"#)
    }

    @Test func `a folder keeps the state for the next substance of the name`() {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("FlaskTests-\(UUID().uuidString)", isDirectory: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let first = Vault<Profile>("a/b", in: FileArchive(directory: folder))
      first.change { $0.prop.info.nest.foo = "mutated" }
      #expect(first.archiveNow())
      first.name(as: "other")
      #expect(Vault<Profile>("a/b", in: FileArchive(directory: folder)).state.info.nest.foo == "mutated")
    }
  }
}
