import FlaskArchive
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// `archive()` of a substance that operations know already: no operation loses the draft that it is about to commit.
@Suite(.ownFlux) struct ArchiveInOperationTests {
  private enum Go: SubstanceMixer { case go }

  private struct Doc: FlaskState, Equatable {
    var words = ["new"]
    var title = ""
  }

  /// An archive with the title "saved".
  private func saved() -> MemoryArchive {
    let place = MemoryArchive()
    Flux.$current.withValue(Flux()) {
      let seed = Substance<Doc>(name: "doc", archive: true, in: place)
      seed.mix { $0.title = "saved" }
      #expect(seed.archiveNow())
    }
    return place
  }

  @Test func `in the mixer of the substance itself`() async {
    let place = saved()
    nonisolated(unsafe) weak var found: ReactiveSubstance<Doc, AnyMixer>?
    let doc = ReactiveSubstance(Doc(), name: "doc") { on in
      on(Go.go) { state, _ in
        found?.archive(in: place)
        state.words.append(String(repeating: "y", count: 99))
      }
    }
    found = doc
    Flask.applyMixer(Go.go)
    #expect(doc.state.words.count == 2)
    await doc.opened()
    #expect(doc.state.words.count == 2)
    #expect(doc.state.title == "saved")
  }

  @Test func `in an observer of the substance`() async {
    let place = saved()
    let doc = Substance(Doc(), name: "doc")
    let heard = Recorder<[String]>()
    let token = doc.observe(\.words) { [unowned doc] _, new in
      heard.append(new)
      doc.archive(in: place)
    }
    doc.mix { $0.words = ["x"] }
    #expect(heard.all.first == ["x"])
    await doc.opened()
    // What was mixed before is replaced, as it is whenever an archive is read.
    #expect(doc.state == Doc(words: ["new"], title: "saved"))
    token.cancel()
    doc.mix { $0.words = ["y"] }
    #expect(doc.state == Doc(words: ["y"], title: "saved"))
  }

  @Test func `at once if the flux does nothing, also if it is locked`() {
    let place = saved()
    let lock = Flask.lock()
    let doc = ReactiveSubstance(Doc(), name: "doc") { on in on(Go.go) { state, _ in state.words = [] } }
    doc.archive(in: place)
    #expect(doc.state.title == "saved")
    lock.release()
    Flask.applyMixer(Go.go)
    #expect(doc.state == Doc(words: [], title: "saved"))
  }

  @Test func `while another thread applies the mixer`() async {
    let place = saved()
    let flux = Flux.current
    flux.expect([.mixerWithoutSubstance, .archiveShared])
    let (isDone, rounds) = (Recorder<Bool>(), Workload.count(300, full: 20_000))
    async let others: Void = OtherThread.run {
      Flux.$current.withValue(flux) {
        while isDone.count == 0 {
          let receipt = Flask.applyMixer(Go.go)
          spin { receipt.outcomeIfKnown != nil }
        }
      }
    }
    for _ in 0..<rounds {
      let doc = ReactiveSubstance(Doc(), name: "doc") { on in
        on(Go.go) { state, _ in state.words.append("x") }
      }
      doc.archive(in: place)
      await doc.opened()
      #expect(doc.state.title == "saved")
      doc.shouldArchive = false
    }
    isDone.append(true)
    await others
  }
}
