import FlaskPrimitives
import FlaskEntities
import FlaskHistory
import Observation
import Synchronization
import Testing
@testable import KernelFixtures

@Suite struct HistoryTests {
  private let document: Substance<Paper>
  private let canvas: Substance<Drawing>
  private let faults = Faults()

  private final class Faults: Sendable {
    private let list = Mutex<[FlaskFault]>([])
    var kinds: [FlaskFault.Kind] { list.withLock { $0.map(\.kind) } }
    func add(_ fault: FlaskFault) { list.withLock { $0.append(fault) } }
  }

  init() {
    let flux = Flux()
    flux.onFault = { [faults] in faults.add($0) }
    (document, canvas) = Flux.$current.withValue(flux) { (Substance(Paper()), Substance(Drawing())) }
  }

  private func isCommitted(_ receipt: FluxReceipt) -> Bool {
    if case .committed? = receipt.outcomeIfKnown { true } else { false }
  }

  @Test func `each operation is a step that is undone and redone`() {
    let history = History(of: document)
    document.mix { $0.text = "a" }
    document.mix {
      $0.text = "b"
      $0.count = 1
    }
    #expect(history.undoCount == 2)
    #expect(isCommitted(history.undo()))
    #expect(document.state == Paper(text: "a"))
    history.undo()
    #expect(document.state == Paper())
    #expect(history.canUndo == false)
    history.redo()
    history.redo()
    #expect(document.state == Paper(text: "b", count: 1))
    #expect(history.canRedo == false)
    guard case .unchanged? = history.redo().outcomeIfKnown else {
      Issue.record("there was something to make again")
      return
    }
  }

  @Test func `a new step ends what could be redone`() {
    let history = History(of: document)
    document.mix { $0.count = 1 }
    history.undo()
    #expect(history.canRedo)
    document.mix { $0.count = 2 }
    #expect(history.canRedo == false)
    #expect(history.undoCount == 1)
  }

  @Test func `a step of several substances is one operation`() {
    let history = History(of: document, canvas)
    let told = Mutex<[String]>([])
    let token = canvas.observe(\.zoom) { [document] _, zoom in
      told.withLock { $0.append("\(zoom) \(document.state.count)") }
    }
    Flask.mix(document, canvas) { document, canvas in
      document.count = 1
      canvas.zoom = 2
      canvas.shapes.append(Row(id: 1))
    }
    #expect(history.undoCount == 1)
    history.undo()
    #expect(document.state == Paper())
    #expect(canvas.state == Drawing())
    history.redo()
    #expect(canvas.state == Drawing(zoom: 2, shapes: [Row(id: 1)]))
    #expect(told.withLock { $0 } == ["2.0 1", "1.0 0", "2.0 1"])
    token.cancel()
  }

  // MARK: Steps that go on

  @Test func `operations of one name are one step`() {
    let history = History(of: document)
    for letter in ["a", "b", "c"] {
      history.mix("Typing") { [document] in document.prop.text += letter }
    }
    history.mix("Other") { [document] in document.prop.text += "!" }
    #expect(history.undoCount == 2)
    #expect(history.status.undoName == "Other")
    history.undo()
    #expect(document.text == "abc")
    #expect(history.status.undoName == "Typing")
    #expect(history.status.redoName == "Other")
    history.undo()
    #expect(document.text == "")
    history.redo()
    #expect(document.text == "abc")
    history.mix("Typing") { [document] in document.prop.text += "d" }
    #expect(history.undoCount == 2)
    history.mix("Typing") { [document] in document.prop.text += "e" }
    history.endStep()
    history.mix("Typing") { [document] in document.prop.text += "f" }
    #expect(history.undoCount == 3)
    history.undo()
    #expect(document.text == "abcde")
  }

  @Test func `operations that follow soon are one step`() {
    let clock = HandClock()
    let history = History(of: document, coalescing: .within(.seconds(1)), clock: clock)
    document.mix { $0.list.append(1) }
    clock.advance(by: .seconds(1))
    document.mix { $0.list.append(2) }
    clock.advance(by: .seconds(1))
    document.mix { $0.list.insert(3, at: 0) }
    clock.advance(by: .milliseconds(1001))
    document.mix { $0.list.append(4) }
    #expect(history.undoCount == 2)
    history.undo()
    #expect(document.list == [3, 1, 2])
    history.undo()
    #expect(document.list == [])
    history.redo()
    #expect(document.list == [3, 1, 2])
  }

  @Test func `nothing continues over what others changed`() {
    let history = History(of: document)
    let add = { (amount: Int, isRecorded: Bool) in
      _ = history.mix("Counting", recorded: isRecorded) { [document] in document.prop.count += amount }
    }
    add(1, true)
    add(10, false)
    add(1, true)
    #expect(history.undoCount == 2)
    history.undo()
    #expect(document.count == 11)
  }

  // MARK: What others changed

  @Test func `what others changed is kept`() {
    let history = History(of: document)
    document.mix {
      $0.text = "mine"
      $0.count = 1
    }
    history.mix(recorded: false) { [document] in document.prop.count = 50 }
    #expect(isCommitted(history.undo()))
    #expect(document.state == Paper(text: "", count: 50))
    history.redo()
    #expect(document.state == Paper(text: "mine", count: 50))
  }

  @Test func `or the step is refused`() {
    let history = History(of: document, policy: .refuse)
    document.mix {
      $0.text = "mine"
      $0.count = 1
    }
    history.mix(recorded: false) { [document] in document.prop.count = 50 }
    guard case .failed(let error)? = history.undo().outcomeIfKnown else {
      Issue.record("not refused")
      return
    }
    #expect((error as? PatchMismatch)?.key == "count")
    history.undo()
    #expect(faults.kinds == [])
    #expect(document.state == Paper(text: "mine", count: 50))
    #expect(history.canUndo)
    history.undo(.keep)
    #expect(document.state == Paper(text: "", count: 50))
  }

  @Test func `elements that others changed beside are kept`() {
    let history = History(of: canvas, policy: .refuse)
    canvas.mix { $0.shapes = [Row(id: 1), Row(id: 2)] }
    canvas.mix { $0.shapes[id: 2]?.title = "mine" }
    history.mix(recorded: false) { [canvas] in
      canvas.prop.shapes.insert(Row(id: 3), at: 0)
      canvas.prop.shapes[id: 1]?.title = "theirs"
    }
    history.undo()
    #expect(canvas.shapes == [Row(id: 3), Row(id: 1, title: "theirs"), Row(id: 2)])
  }

  @Test func `what could not be undone is not redone`() {
    let sheet = Flux.$current.withValue(Flux()) { Substance([1, 2, 3, 4]) }
    let history = History(of: sheet)
    sheet.mix { ($0[0], $0[3]) = (10, 40) }
    history.mix(recorded: false) { sheet.prop[3] = 99 }
    history.undo()
    #expect(sheet.state == [1, 2, 3, 99])
    history.mix(recorded: false) { sheet.prop[3] = 4 }
    history.redo()
    #expect(sheet.state == [10, 2, 3, 4])
  }

  // MARK: What takes no part

  @Test func `keys that are left out are neither recorded nor changed`() {
    let history = History(of: document, canvas, leavingOut: [\Paper.cursor, \Drawing.zoom])
    document.mix { $0.cursor.line = 4 }
    canvas.mix { $0.zoom = 5 }
    #expect(history.canUndo == false)
    document.mix {
      $0.count = 1
      $0.cursor.column = 7
    }
    document.mix { $0.cursor.column = 8 }
    #expect(history.undoCount == 1)
    history.undo()
    #expect(document.state == Paper(count: 0, cursor: .init(line: 4, column: 8)))
    #expect(canvas.zoom == 5)
    #expect(faults.kinds == [])
  }

  @Test func `a key path that leads to no stored property can't be left out`() {
    let history = History(of: document, leavingOut: [\Paper.text.count, \Drawing.zoom, \Paper.level])
    #expect(faults.kinds == [.unknownKey, .unknownKey, .unknownKey])
    document.mix { $0.text = "a" }
    #expect(history.canUndo)
  }

  @Test func `what property wrappers store is brought back`() {
    let history = History(of: document)
    document.mix { $0.level = 7 }
    history.undo()
    #expect(document.level == 1)
    history.redo()
    #expect(document.level == 7)
  }

  // MARK: Who looks

  @Test func `what can be done is observed`() {
    let history = History(of: document)
    let told = Mutex<[Bool]>([])
    let token = history.status.observe(\.canUndo) { _, new in told.withLock { $0.append(new) } }
    let isInvalid = Mutex(false)
    withObservationTracking {
      _ = history.canUndo
    } onChange: {
      isInvalid.withLock { $0 = true }
    }
    document.mix { $0.count = 1 }
    document.mix { $0.count = 2 }
    history.undo()
    history.undo()
    #expect(told.withLock { $0 } == [true, false])
    #expect(isInvalid.withLock { $0 })
    token.cancel()
  }

  @Test func `a history that is released records no more, and holds nothing`() {
    weak var substance: Substance<Paper>?
    do {
      let flux = Flux()
      let document = Flux.$current.withValue(flux) { Substance(Paper()) }
      substance = document
      let history = History(of: document)
      document.mix { $0.count = 1 }
      #expect(history.canUndo)
    }
    #expect(substance == nil)
  }

  @Test func `substances of different fluxes are a fault`() {
    let other = Flux.$current.withValue(Flux()) { Substance(Drawing()) }
    other.flux.onFault = { [faults] in faults.add($0) }
    let history = History(of: document, other)
    #expect(faults.kinds == [.substancesOfDifferentFluxes])
    other.mix { $0.zoom = 3 }
    #expect(history.canUndo == false)
  }

  @Test func `an operation that throws is no step`() {
    struct Refusal: Error {}
    let history = History(of: document, canvas)
    let receipt = history.mix("Bad") { [document] in
      document.prop.count = 5
      throw Refusal()
    }
    guard case .failed? = receipt.outcomeIfKnown else {
      Issue.record("not failed")
      return
    }
    #expect(document.count == 0)
    document.mix { $0.count = 1 }
    #expect(history.status.undoName == nil)
    #expect(history.undoCount == 1)
  }
}
