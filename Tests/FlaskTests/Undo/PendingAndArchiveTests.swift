import FlaskCore
import FlaskEntities
import FlaskHistory
import TestSupport
import Testing

@testable import FlaskArchive

/// Optimistic changes that are not answered when the process is killed.
@Suite struct PendingAndArchiveTests {
  private struct Page: FlaskState, Equatable {
    struct Line: Sendable, Codable, Equatable, Identifiable {
      var id = 0
      var text = ""
    }

    var title = ""
    var count = 0
    var lines = Entities<Line>()
    var isSaving = false
    var _token = 0
  }

  private let place = MemoryArchive()

  private func page(_ name: String = "page", in place: (any ArchiveBackend)? = nil) -> Substance<Page> {
    Substance<Page>(name: name, archive: true, in: place ?? self.place)
  }

  /// Runs `body` with a flux of its own.
  private func inFlux(_ body: () async -> Void) async {
    await Flux.$current.withValue(.withLateArchives(), operation: body)
  }

  /// What the next run reads if the process is killed now.
  private func killed(_ names: String..., in group: String? = nil) -> [Page] {
    let copy = MemoryArchive()
    for key in place.keys(withPrefix: "") {
      guard let (archive, journal) = place.loadWithJournal(key) else { continue }
      copy.save(archive, for: key)
      guard !journal.isEmpty else { continue }
      #expect(
        copy.append(
          journal,
          toJournalOf: key,
          beginning: archive.prefix(ArchiveFormat.headerCount),
          length: 0
        )
      )
    }
    return Flux.$current.withValue(Flux()) {
      let place: any ArchiveBackend = group.map { ArchiveGroup($0, in: copy) } ?? copy
      return names.map { page($0, in: place).state }
    }
  }

  @Test func `a kill leaves nothing that is pending, and all else`() async {
    await inFlux {
      let page = page()
      let history = History(of: page, leavingOut: [\Page.isSaving])
      page.mix {
        $0.title = "kept"
        $0.lines = [.init(id: 1, text: "one")]
      }
      let change = await PendingChange(history) {
        page.mix {
          $0.title = "mine"
          $0.isSaving = true
          $0.lines.append(.init(id: 2, text: "two"))
        }
      }
      page.mix { $0.count = 5 }
      history.perform(recorded: false) { page.mix { $0.lines[id: 1]?.text = "ONE" } }
      page.mix { $0.lines[id: 2]?.text = "goes with it" }
      #expect(await page.archiveNow() && page.title == "mine")
      #expect(killed("page") == [Page(title: "kept", count: 5, lines: [.init(id: 1, text: "ONE")])])
      await change.end()
      #expect(await page.archiveNow())
      #expect(killed("page") == [page.state] && page.lines.count == 2)
    }
  }

  @Test(arguments: [false, true])
  func `after the answer the archive has what the state is`(fails: Bool) async {
    await inFlux {
      let page = page()
      let history = History(of: page)
      page.mix { $0.title = "kept" }
      let change = await PendingChange(history, fails: fails) { page.mix { $0.title = "mine" } }
      #expect(await page.archiveNow())
      #expect(killed("page")[0].title == "kept")
      await change.end()
      #expect(await page.archiveNow() && page.title == (fails ? "kept" : "mine"))
      #expect(killed("page") == [page.state])
    }
  }

  @Test func `a confirmation is a change that a timer saves`() async {
    await inFlux {
      let scheduler = ManualArchiveScheduler()
      let group = ArchiveGroup("book", in: place, scheduler: scheduler)
      let page = page(in: group)
      let history = History(of: page)
      let change = await PendingChange(history) { page.mix { $0.title = "mine" } }
      #expect(await group.archiveNow())
      #expect(killed("page", in: "book")[0].title == "")
      await change.end()
      scheduler.advance(by: .seconds(3))
      ArchiveSlot.of("FxGroup.book", in: place.location).performAndWait {}
      #expect(killed("page", in: "book")[0].title == "mine")
    }
  }

  @Test func `a handler of the pending change archives the state before it`() async {
    await inFlux {
      let page = page()
      page.mix { $0.title = "kept" }
      let saved = Recorder<Bool>()
      let observation = page.observeCommits { _, _ in saved.append(page.archiveNow()) }
      let history = History(of: page)
      let change = await PendingChange(history) { page.mix { $0.title = "mine" } }
      #expect(saved.all == [true])
      withExtendedLifetime(observation) {}
      #expect(killed("page")[0].title == "kept")
      await change.end()
    }
  }

  @Test func `a group has an operation in all of its members or in none`() async {
    await inFlux {
      let group = ArchiveGroup("book", in: place)
      let left = page("left", in: group)
      let right = page("right", in: group)
      let history = History(of: left, right)
      let change = await PendingChange(history) {
        Flask.mix(left, right) {
          $0.title = "mine"
          $1.title = "mine"
        }
      }
      Flask.mix(left, right) {
        $0.count = 3
        $1.count = 3
      }
      #expect(await group.archiveNow())
      #expect(killed("left", "right", in: "book") == [Page(count: 3), Page(count: 3)])
      await change.end()
      #expect(await group.archiveNow())
      #expect(killed("left", "right", in: "book") == [left.state, right.state] && left.title == "mine")
    }
  }

  @Test func `two histories of one substance`() async {
    await inFlux {
      let page = page()
      let first = History(of: page)
      let second = History(of: page)
      let one = await PendingChange(first) {
        page.mix {
          $0.title = "one"
          $0.count = 1
        }
      }
      let two = await PendingChange(second) { page.mix { $0.lines = [.init(id: 2)] } }
      page.mix { $0.isSaving = true }
      #expect(await page.archiveNow())
      #expect(killed("page") == [Page(isSaving: true)])
      await one.end()
      #expect(await page.archiveNow())
      #expect(killed("page") == [Page(title: "one", count: 1, isSaving: true)])
      await two.end()
      #expect(await page.archiveNow())
      #expect(killed("page") == [page.state])
    }
  }

  @Test func `an undo of a pending step leaves the archive alone, and so does its redo`() async {
    await inFlux {
      let page = page()
      let history = History(of: page)
      page.mix { $0.title = "kept" }
      page.mix { $0.count = 2 }
      let change = await PendingChange(history) { page.mix { $0.title = "mine" } }
      history.undo()
      #expect(await page.archiveNow() && page.title == "kept")
      #expect(killed("page") == [Page(title: "kept", count: 2)])
      history.redo()
      #expect(await page.archiveNow() && page.title == "mine")
      #expect(killed("page") == [Page(title: "kept", count: 2)])
      history.undo()
      history.undo()
      #expect(await page.archiveNow() && page.count == 0)
      #expect(killed("page") == [Page(title: "kept")])
      await change.end()
      #expect(await page.archiveNow())
      #expect(killed("page") == [page.state])
    }
  }

  @Test func `the steps are archived without the pending one`() async throws {
    try await Flux.$current.withValue(Flux()) {
      let page = page()
      let history = History(of: page)
      page.mix { $0.title = "kept" }
      let change = await PendingChange(history) { page.mix { $0.title = "mine" } }
      page.mix { $0.count = 4 }
      let steps = try await history.archived()
      #expect(await page.archiveNow())
      let next = killed("page")[0]
      await change.end()
      try await Flux.$current.withValue(Flux()) {
        let page = Substance(next)
        let history = History(of: page)
        try await history.restore(from: steps)
        #expect(page.state == Page(title: "kept", count: 4) && history.undoCount == 2)
        history.undo()
        #expect(page.state == Page(title: "kept"))
        history.undo()
        #expect(page.state == Page())
      }
    }
  }

  @Test func `an arrival that changes no key does not bring the placeholder into the archive`() async {
    await inFlux {
      let earlier = page()
      earlier.mix { $0.title = "my novel" }
      #expect(await earlier.archiveNow())
      earlier.shouldArchive = false
      let gated = GatedArchive(place: place)
      let page = page(in: DeferredArchive(gated))
      let history = History(of: page)
      let change = await PendingChange(history, fails: true) { page.mix { $0.title = "draft" } }
      gated.gate.open()
      await page.opened()
      #expect(await page.archiveNow() && page.title == "draft")
      #expect(killed("page")[0].title == "my novel")
      await change.end()
      #expect(page.title == "my novel")
    }
  }

  @Test func `hidden properties are neither reverted nor held back`() async {
    await inFlux {
      let page = page()
      let history = History(of: page)
      let change = await PendingChange(history, fails: true) { page.mix { $0.title = "mine" } }
      page.mix { $0._token = 7 }
      page.mix { $0.count = 1 }
      history.undo()
      #expect(await page.archiveNow())
      #expect(killed("page")[0]._token == 7 && killed("page")[0].title == "")
      await change.end()
      #expect(page.state._token == 7 && page.title == "")
      #expect(await page.archiveNow())
      #expect(killed("page") == [page.state])
    }
  }

  @Test func `an undo that changes what is saved of a state, but not the state, is saved`() async {
    await inFlux {
      let scheduler = ManualArchiveScheduler()
      let group = ArchiveGroup("book", in: place, scheduler: scheduler)
      let left = page("left", in: group)
      let right = page("right", in: group)
      let history = History(of: left, right)
      Flask.mix(left, right) {
        $0.count = 1
        $1.title = "step"
      }
      let change = await PendingChange(history) { right.mix { $0.title = "mine" } }
      history.dropStep()
      #expect(await group.archiveNow())
      #expect(killed("left", "right", in: "book") == [Page(count: 1), Page(title: "step")])
      history.undo()
      #expect(left.count == 0 && right.title == "mine")
      scheduler.advance(by: .seconds(3))
      ArchiveSlot.of("FxGroup.book", in: place.location).performAndWait {}
      #expect(killed("left", "right", in: "book") == [Page(), Page()])
      await change.end()
    }
  }
}
