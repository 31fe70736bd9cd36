import FlaskHistory
import Testing

@Suite struct HistoryLimitTests {
  private let document = Flux.$current.withValue(Flux()) { Substance(Paper()) }

  @Test func `the oldest steps are dropped`() {
    let history = History(of: document, steps: 3)
    for count in 1...100 { document.mix { $0.count = count } }
    #expect(history.undoCount == 3)
    for _ in 0..<5 { history.undo() }
    #expect(document.count == 97)
    #expect(history.redoCount == 3)
  }

  @Test func `steps take no more memory than they may`() {
    let history = History(of: document, bytes: 10_000)
    for number in 0..<100 { document.mix { $0.text = String(repeating: "\(number % 10)", count: 1_000) } }
    #expect(history.byteCount <= 10_000)
    #expect((2...5).contains(history.undoCount))
    document.mix { $0.text = String(repeating: "x", count: 20_000) }
    #expect(history.undoCount == 0)
    #expect(history.byteCount == 0)
  }

  @Test func `an operation of which one change is too large is no step, and so is the rest of it`() {
    let (count, name) = Flux.$current.withValue(document.flux) { (Substance(0), Substance("")) }
    let history = History(of: document, count, name, bytes: 4_000)
    Flask.mix(document, count, name) { document, count, name in
      document.text = String(repeating: "x", count: 9_000)
      count = 1
      name = "one"
    }
    #expect(history.undoCount == 0)
    count.mix { $0 = 2 }
    #expect(history.undoCount == 1)
    history.undo()
    #expect(count.state == 1)
    #expect(name.state == "one")
  }

  @Test func `a step of a number takes less than 200 bytes`() {
    let history = History(of: document)
    for count in 1...10 { document.mix { $0.count = count } }
    #expect(history.byteCount <= 2_000)
  }

  @Test func `steps that are dropped released what they held, and so do those of a history that goes`() {
    final class Picture: Sendable {}
    struct Page: Sendable { var picture: Picture?; var count = 0 }
    weak var first: Picture?
    weak var second: Picture?
    do {
      let page = Flux.$current.withValue(Flux()) { Substance(Page()) }
      let history = History(of: page, steps: 2)
      func show(_ picture: Picture) { page.mix { $0.picture = picture } }
      do {
        let pictures = [Picture(), Picture()]
        (first, second) = (pictures[0], pictures[1])
        for picture in pictures { show(picture) }
      }
      page.mix { $0.picture = nil }
      #expect(first != nil)
      page.mix { $0.count = 1 }
      #expect(first == nil)
      #expect(second != nil)
      withExtendedLifetime(history) {}
    }
    #expect(second == nil)
  }

  @Test func `all steps can be forgotten`() {
    let history = History(of: document)
    document.mix { $0.count = 1 }
    document.mix { $0.count = 2 }
    history.undo()
    history.removeAll()
    #expect((history.undoCount, history.redoCount, history.byteCount) == (0, 0, 0))
    #expect(history.status.state == HistoryStatus())
  }
}
