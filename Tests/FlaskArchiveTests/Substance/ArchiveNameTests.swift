import TestSupport
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// Archives of substances that are named while they are archived.
@Suite(.ownFlux) struct ArchiveNameTests {
  @Test func `names set at the same time from four threads leave one archive, of the last name`() async {
    let backend = MemoryArchive()
    let substance = Substance<Tally>(name: "start", archive: true, in: backend)
    await OtherThread.run(times: 4) { thread in
      for number in 0..<25 { substance.name(as: "name \(thread) \(number)") }
    }
    for key in backend.keys(withPrefix: "") { backend.remove(key) }
    #expect(await substance.archiveNow())
    #expect(backend.keys(withPrefix: "") == ["Fx.1.\(substance.name())"])
  }
}
