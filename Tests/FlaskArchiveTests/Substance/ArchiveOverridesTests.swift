import FlaskArchive
import Testing

@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// The methods that a subclass may override.
  @Suite struct ArchiveOverridesTests {
    private final class Spaced: Vault<Tally>, @unchecked Sendable {
      override func archiveKeySpace() -> String { "2" }
    }

    private final class Keyed: Vault<Tally>, @unchecked Sendable {
      override func archiveKey() -> String { "my \(name())" }
    }

    private final class Delayed: Vault<Tally>, @unchecked Sendable {
      override func archiveDelay() -> Double { 0.25 }
    }

    private final class Slow: Vault<Tally>, @unchecked Sendable {
      override func archiveDelay() -> Double { 30 }
    }

    private final class Choosy: Vault<Tally>, @unchecked Sendable {
      override func archiveDisabled() -> Bool { !shouldArchive || state.counter < 0 }
    }

    private final class Stubborn: Vault<Tally>, @unchecked Sendable {
      override func archiveDisabled() -> Bool { false }
    }

    private let backend = BackendProbe()

    @Test func `archiveKeySpace is the middle of the key`() {
      #expect(Spaced(in: backend).archiveNow())
      #expect(backend.keys(withPrefix: "") == ["Fx.2.vault"])
    }

    @Test func `archiveKey is the key, for reading and for saving`() {
      let keyed = Keyed(in: backend)
      keyed.change { $0.prop.counter = 1 }
      #expect(keyed.archiveNow())
      keyed.name(as: "other")
      #expect(backend.keys(withPrefix: "") == ["my vault"])
      #expect(Keyed(in: backend).state.counter == 1)
    }

    @Test func `archiveDelay is the time after the last change, in seconds`() {
      let delayed = Delayed(in: backend)
      delayed.change { $0.prop.counter = 1 }
      delayed.pass(.milliseconds(249))
      #expect(backend.saves == 0)
      delayed.pass(.milliseconds(1))
      #expect(backend.saves == 1)
    }

    @Test func `a delay that is longer than the cap counts`() {
      let slow = Slow(in: backend)
      slow.change { $0.prop.counter = 1 }
      slow.pass(.milliseconds(29_999))
      #expect(backend.saves == 0)
      slow.pass(.milliseconds(1))
      #expect(backend.saves == 1)
    }

    @Test func `archiveDisabled is asked after each change, and the last answer counts`() {
      let choosy = Choosy(in: backend)
      choosy.change { $0.prop.counter = -1 }
      choosy.pass(.seconds(2))
      #expect(backend.saves == 0)
      choosy.change { $0.prop.counter = 1 }
      choosy.change { $0.prop.counter = -2 }
      choosy.pass(.seconds(2))
      #expect(backend.saves == 0)
      choosy.change { $0.prop.counter = 2 }
      choosy.pass(.seconds(2))
      #expect(backend.saves == 1)
    }

    @Test func `archiveDisabled alone can turn archiving on`() {
      let first = Stubborn(in: backend, archive: false)
      first.change { $0.prop.counter = 1 }
      first.pass(.seconds(2))
      #expect(backend.saves == 1)
      first.name(as: "other")
      #expect(Stubborn(in: backend, archive: false).state.counter == 1)
    }

    @Test func `without overrides the methods answer as documented`() {
      let plain = Substance<Tally>(name: "plain")
      #expect(plain.archiveKeySpace() == "1")
      #expect(plain.archiveKey() == "Fx.1.plain")
      #expect(plain.archiveDelay() == 2)
      #expect(plain.archiveDisabled())
      #expect(plain.archiveVersion() == 0)
    }
  }
}
