import FlaskPrimitives
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// Members that come to a group, and go to another one.
  @Suite struct ArchiveGroupMovesTests {
    private let backend = BackendProbe()
    private func group() -> ArchiveGroup { ArchiveGroup("session", in: backend) }

    @Test func `a member that joins another group leaves the one that it was in`() {
      let (first, second) = (group(), ArchiveGroup("second", in: backend))
      let a = Substance<Tally>(name: "a", archive: true, in: first)
      a.change { $0.prop.counter = 1 }
      #expect(first.archiveNow())
      a.change { $0.prop.counter = 2 }
      #expect(second.join(a))
      #expect(backend.part("Fx.1.a") == nil)
      a.change { $0.prop.counter = 3 }
      #expect(second.archiveNow() && first.archiveNow())
      #expect(backend.part("Fx.1.a") == nil)
      #expect(backend.part("Fx.1.a", of: "second") == #"{"_hidden":0,"counter":3,"text":""}"#)
    }

    private struct Host: FlaskState, Codable {
      var number = 0
      static let inside = Lock<Held>(Held())
      struct Held: Sendable { var make: (@Sendable () -> Void)? }
      enum CodingKeys: CodingKey { case number }

      func encode(to encoder: any Encoder) throws {
        Host.inside.withLock { $0.make }?()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
      }
    }

    @Test func `a member that makes another one while it is encoded comes through`() {
      let group = ArchiveGroup("nest", in: MemoryArchive())
      Host.inside.withLock {
        $0.make = {
          let inner = Substance<Tally>(name: "inner", archive: true, in: group)
          inner.change { $0.prop.counter += 1 }
        }
      }
      let host = Substance<Host>(name: "host", archive: true, in: group)
      host.mix { $0.number = 1 }
      #expect(group.archiveNow())
      Host.inside.withLock { $0.make = nil }
    }
  }
}
