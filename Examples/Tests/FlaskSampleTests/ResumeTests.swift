import Flask
import Flights
import Testing

@testable import FlaskSample

/// What a second run makes of the archives of the first.
@MainActor
struct ResumeTests {
  private final class Owner: Sendable {}

  private let owner = Owner()
  private let lines = (1...6).map {
    FlightLine(number: $0, content: $0 == 3 ? .blank : .flight(Sample.flight(number: $0, delay: $0 * 10)))
  }

  @Test func `A second run counts no line again`() async {
    await Flux.$current.withValue(Flux()) {
      let keeping = Keeping(archive: MemoryArchive(), input: "test")
      save(await mix(lines[..<4], into: Substances(keeping)))
      let substances = Substances(keeping.copy)
      #expect(substances.lastLine == 4)
      expectAll(await mix(lines[...], into: substances))
    }
  }

  @Test func `Substances that were saved each for itself, at different lines, come together`() async {
    await Flux.$current.withValue(Flux()) {
      let keeping = Keeping(archive: MemoryArchive(), input: "test")
      let first = await mix(lines[..<2], into: Substances())
      keep(first.records, "records", in: keeping) { $0.prop = first.records.state }
      _ = await mix(lines[2..<4], into: first)
      keep(first.board, "board", in: keeping) { $0.prop = first.board.state }
      let substances = Substances(keeping.copy)
      #expect(substances.board.state.total.flights == 3)
      #expect(substances.records.state._lastLine == 2)
      #expect(substances.days.state.days.isEmpty)
      #expect(substances.lastLine == 0)
      expectAll(await mix(lines[...], into: substances))
    }
  }

  @Test func `All four are saved in one write`() async {
    await Flux.$current.withValue(Flux()) {
      let keeping = Keeping(archive: MemoryArchive(), input: "test")
      save(await mix(lines[..<4], into: Substances(keeping)))
      #expect((try? keeping.archive.keys(withPrefix: "")) == ["FxGroup.flights of test"])
    }
  }

  @Test func `Each input has archives of its own`() async {
    await Flux.$current.withValue(Flux()) {
      let archive = MemoryArchive()
      save(await mix(lines[...], into: Substances(Keeping(archive: archive, input: "one"))))
      #expect(Substances(Keeping(archive: archive, input: "other")).lastLine == 0)
    }
  }

  private func expectAll(_ substances: Substances) {
    #expect(substances.board.state.total.flights == 5)
    #expect(substances.board.state.total.delay.minutes == 180)
    #expect(substances.days.state.days.mapValues(\.flights) == ["2013-01-01": 5])
    #expect(substances.records.state.worst?.flight == 6)
    #expect(substances.journal.state.lines == 6)
    #expect(substances.journal.state.blank == 1)
  }

  private func save(_ substances: Substances) {
    #expect(substances.board.archiveNow())
  }

  /// Keeps a state as an earlier version of the sample did, in an archive of its own.
  private func keep<S: State>(
    _ substance: Substance<S>,
    _ name: String,
    in keeping: Keeping,
    _ fill: @escaping @Sendable (Substance<S>) -> Void
  ) {
    let alone = Substance<S>(name: keeping.name(name), archive: true, in: keeping.archive)
    _ = Flask.reactor(attachedTo: self.owner, mixing: alone).mix(alone, fill).react()
    #expect(alone.archiveNow())
  }

  private func mix(_ lines: ArraySlice<FlightLine>, into substances: Substances) async -> Substances {
    let departures = Departures(substances)
    for line in lines { departures.mix(line) }
    await departures.finish()
    return substances
  }
}

extension Keeping {
  /// What a process finds that starts after this one was killed.
  fileprivate var copy: Keeping {
    let copy = MemoryArchive()
    for key in (try? archive.keys(withPrefix: "")) ?? [] {
      if let data = try? archive.load(key) { copy.save(data, for: key) }
    }
    return Keeping(archive: copy, input: input)
  }
}
