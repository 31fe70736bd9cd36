import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// Archives of reactive substances that are made with closures.
@Suite(.ownFlux) struct ArchiveOfMixersTests {
  enum Mixers: SubstanceMixer { case add }

  @Test func `its state is archived`() {
    let archive = MemoryArchive()
    func make() -> ReactiveSubstance<Tally, AnyMixer> {
      ReactiveSubstance(Tally(), name: "tally", archive: true, in: archive) { on in
        on(Mixers.add) { state, _ in state.counter += 1 }
      }
    }
    do {
      let tally = make()
      Flask.applyMixer(Mixers.add)
      tally.archiveNow()
    }
    #expect(make().counter == 1)
  }

  @Test func `one that is made with closures takes a version and a migration of its archive`() {
    struct Older: FlaskState { var number = 7 }
    let archive = MemoryArchive()
    let older = Substance<Older>(name: "tally", archive: true, in: archive)
    older.mix { $0.number = 8 }
    #expect(older.archiveNow())
    older.shouldArchive = false
    let tally = ReactiveSubstance(Tally(), name: "tally") { on in
      on(Mixers.add) { state, _ in state.counter += 1 }
    }
    tally.archive(in: archive, version: 1) { version, state in
      if version == 0 { state.rename("number", to: "counter") }
    }
    #expect(tally.state.counter == 8)
    #expect(tally.archiveNow())
    #expect(FaultLog.current.take().isEmpty)
  }
}
