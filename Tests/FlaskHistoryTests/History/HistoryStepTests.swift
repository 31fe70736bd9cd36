import FlaskHistory
import Testing
@testable import KernelFixtures

/// What is a step, and what it is called.
@Suite struct HistoryStepTests {
  private let paper = Flux.$current.withValue(Flux()) { Substance(Paper()) }

  @Test func `a step of which nothing is left is none`() {
    let history = History(of: paper)
    paper.mix { $0.text = "before" }
    history.mix("Counting") { [paper] in paper.prop.count = 1 }
    history.mix("Counting") { [paper] in paper.prop.count = 0 }
    #expect(history.undoCount == 1)
    history.mix("Counting") { [paper] in paper.prop.count = 2 }
    #expect(history.undoCount == 2)
    history.undo()
    #expect(paper.count == 0)
    #expect(paper.text == "before")
    history.undo()
    #expect(paper.text == "")
    #expect(history.canUndo == false)
  }

  @Test(arguments: ["", "before"])
  func `an operation that undoes a step and changes another substance is a step of its own`(text: String) {
    let other = Flux.$current.withValue(paper.flux) { Substance(Paper()) }
    let history = History(of: paper, other)
    paper.mix { $0.text = text }
    let below = history.undoCount
    history.mix("Counting") { [paper] in paper.prop.count = 1 }
    history.mix("Counting") { [paper] in
      paper.prop.count = 0
      other.prop.count = 5
    }
    #expect(history.undoCount == below + 1)
    history.undo()
    #expect(other.count == 0)
    #expect(paper.text == text)
    #expect(history.undoCount == below)
  }

  @Test func `what follows soon on a step of which nothing is left is not one with the step before that`() {
    let clock = HandClock()
    let history = History(of: paper, coalescing: .within(.seconds(1)), clock: clock)
    paper.mix { $0.text = "before" }
    clock.advance(by: .seconds(2))
    paper.mix { $0.count = 1 }
    paper.mix { $0.count = 0 }
    paper.mix { $0.count = 2 }
    #expect(history.undoCount == 2)
    history.undo()
    #expect(paper.text == "before")
  }

  @Test func `to a history, what another one mixes is as what anyone mixes`() {
    let (history, other) = (History(of: paper), History(of: paper))
    other.mix("Typing") { [paper] in paper.prop.text = "a" }
    other.mix("Typing", recorded: false) { [paper] in paper.prop.text = "b" }
    #expect((history.undoCount, other.undoCount) == (2, 1))
    #expect(history.status.undoName == nil)
  }
}
