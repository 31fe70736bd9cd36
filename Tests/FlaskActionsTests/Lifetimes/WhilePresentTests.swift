@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskEntities
import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// When work starts and ends.
@Suite(.ownFlux) struct WhilePresentTests {
  private let session = Substance(Session())
  private let log = Recorder<String>()

  /// Work that writes when it starts, and when its task was cancelled.
  private func stay(_ name: String) async {
    log.append("\(name) starts")
    try? await Task.sleep(for: .seconds(3_600))
    log.append("\(name) ends")
  }

  private func wait(for lines: String...) async {
    await soon { log.all == lines }
    #expect(log.all == lines)
  }

  @Test func `work waits for content, ends with it, and starts again with it`() async {
    session.whilePresent(\.draft) { draft in await stay(draft.text) }
    #expect(log.all == [])
    session.mix { $0.draft = Draft(text: "a") }
    await wait(for: "a starts")
    session.mix { $0.draft?.text = "b" }
    session.mix { $0.draft = nil }
    await wait(for: "a starts", "a ends")
    session.mix { $0.draft = Draft(text: "c") }
    await wait(for: "a starts", "a ends", "c starts")
    session.mix { $0.draft = nil }
    await wait(for: "a starts", "a ends", "c starts", "c ends")
  }

  @Test func `work of a scope starts at once, and again if its part comes back`() async {
    session.mix { $0.rows.append(Row(id: 1, title: "a")) }
    session.scope(\.rows, id: 1)?.whilePresent { row in await stay(row.title) }
    await wait(for: "a starts")
    session.mix { $0.rows.remove(id: 1) }
    await wait(for: "a starts", "a ends")
    session.mix { $0.rows.append(Row(id: 1, title: "b")) }
    await wait(for: "a starts", "a ends", "b starts")
    session.mix { $0.rows.removeAll() }
    await wait(for: "a starts", "a ends", "b starts", "b ends")
  }

  @Test func `content with another identity ends the work and begins it again`() async {
    session.mix { $0.detail = Detail(id: 1) }
    session.whilePresent(\.detail) { detail in await stay("\(detail.id)") }
    await wait(for: "1 starts")
    session.mix { $0.detail?.price = 5 }
    session.mix { $0.detail = Detail(id: 2) }
    await soon { log.all.count == 3 }
    #expect(log.all.sorted() == ["1 ends", "1 starts", "2 starts"])
    session.mix { $0.detail = nil }
    await soon { log.all.count == 4 }
    #expect(log.all.last == "2 ends")
  }

  @Test func `a replaced grandparent ends the work of an equal row`() async {
    session.mix { $0.folder = Folder(id: 1, rows: [Row(id: 7, title: "x")]) }
    session.scope(\.folder)?.scope(\.rows, id: 7)?.whilePresent { row in await stay(row.title) }
    await wait(for: "x starts")
    session.mix { $0.folder?.rows.append(Row(id: 8)) }
    session.mix { $0.folder = Folder(id: 2, rows: [Row(id: 7, title: "x")]) }
    await soon { log.all.count == 3 }
    #expect(log.all.sorted() == ["x ends", "x starts", "x starts"])
    session.mix { $0.folder = nil }
    await soon { log.all.count == 4 }
    #expect(log.all.sorted() == ["x ends", "x ends", "x starts", "x starts"])
  }

  @Test func `work runs while a value is true`() async {
    session.whileTrue(\.isPlaying) { await stay("player") }
    session.mix { $0.isPlaying = true }
    await wait(for: "player starts")
    session.mix { $0.total = 1 }
    session.mix { $0.isPlaying = false }
    await wait(for: "player starts", "player ends")
  }

  @Test func `work of a row runs while a value of the row is true, and the row exists`() async {
    session.mix { $0.list = [Row(id: 1, isOpen: true)] }
    session.scope(\.list, id: 1)?.whileTrue(\.isOpen) { await stay("row") }
    await wait(for: "row starts")
    session.mix { $0.list[0].title = "changed" }
    session.mix { $0.list = [] }
    await wait(for: "row starts", "row ends")
    session.mix { $0.list = [Row(id: 1)] }
    session.mix { $0.list[0].isOpen = true }
    await wait(for: "row starts", "row ends", "row starts")
  }

  @Test func `work that has returned does not start again for the same part`() async {
    session.mix { $0.draft = Draft() }
    let work = session.whilePresent(\.draft) { _ in log.append("done") }
    await soon { !work.isRunning }
    session.mix { $0.draft?.text = "changed" }
    session.mix { $0.total = 1 }
    await wait(for: "done")
    session.mix { $0.draft = nil }
    session.mix { $0.draft = Draft() }
    await wait(for: "done", "done")
  }

  @Test func `end ends the work for good`() async {
    session.mix { $0.draft = Draft(text: "a") }
    let work = session.whilePresent(\.draft) { draft in await stay(draft.text) }
    await wait(for: "a starts")
    work.end()
    #expect(!work.isRunning)
    await wait(for: "a starts", "a ends")
    session.mix { $0.draft = nil }
    session.mix { $0.draft = Draft(text: "b") }
    work.end()
    await wait(for: "a starts", "a ends")
    #expect(session.cell.listeners.isEmpty)
  }

  @Test func `work that is ended before it starts never runs`() async {
    let ran = Recorder<Int>()
    for number in 0..<200 {
      session.mix { $0.draft = Draft() }
      session.whilePresent(\.draft) { _ in
        if Task.isCancelled { ran.append(number) }
      }.end()
    }
    await soon { false }
    #expect(ran.all == [])
  }

  @Test func `a released substance ends its work, which does not keep it alive`() async {
    weak var gone: Substance<Session>?
    do {
      let session = Substance(Session(detail: Detail(id: 1)))
      gone = session
      session.whilePresent(\.detail) { detail in
        log.append("starts")
        try? await Task.sleep(for: .seconds(3_600))
        log.append("\(detail.mix { $0.price = 9 }) \(detail.price) \(detail.substance == nil)")
      }
      await wait(for: "starts")
    }
    await soon { gone == nil }
    #expect(gone == nil)
    await wait(for: "starts", "FluxReceipt(cancelled) 0 true")
  }

  @Test func `an error is a fault that names the place, or reaches a closure`() async {
    session.mix { $0.draft = Draft() }
    session.whilePresent(\.draft, onError: { [log] error in log.append("\(error)") }) { _ in throw Oops() }
    await wait(for: "Oops()")
    session.whilePresent(\.draft, fileID: "Here.swift", line: 7) { _ in throw Oops() }
    let faults = FaultLog.current
    let found = Recorder<FlaskFault>()
    await soon {
      for fault in faults.take() { found.append(fault) }
      return !found.all.isEmpty
    }
    #expect(found.all.map(\.kind) == [.workFailed])
    #expect(found.all.map { "\($0.fileID):\($0.line)" } == ["Here.swift:7"])
  }

  @Test func `what ended work throws is ignored`() async {
    session.mix { $0.draft = Draft() }
    session.whilePresent(\.draft) { _ in
      log.append("starts")
      do { try await Task.sleep(for: .seconds(3_600)) } catch {
        log.append("throws")
        throw error
      }
    }
    await wait(for: "starts")
    session.mix { $0.draft = nil }
    await wait(for: "starts", "throws")
  }

  @Test func `a handler on the main actor runs there`() async {
    session.mix { $0.draft = Draft() }
    await Task { @MainActor in
      _ = session.whilePresent(\.draft) { _ in
        MainActor.assertIsolated()
        log.append("here")
      }
    }.value
    await wait(for: "here")
  }
}
