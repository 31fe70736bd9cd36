import FlaskHistory
import Testing

@testable import FlaskCore
@testable import FlaskDiff
@testable import FlaskHistory
import TestSupport

@Suite struct StepStackTests {
  private struct Count: Sendable {
    var number = 0
  }

  /// A step with a name; the one that it belongs to is told by the name alone.
  private func entry(_ name: String?) -> StepStack.Entry {
    let layout = Substance(Count()).cell.layout
    return StepStack.Entry(HistoryStep(name: name, HistoryPart(track: 0, change: MemoryChange(layout))))
  }

  @Test func `steps pushed, popped and dropped at random are those of an array`() {
    var generator = SeededGenerator(seed: 7)
    var stack = StepStack()
    var model: [String?] = []
    let size = entry(nil).byteCount
    for number in 0..<10_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6:
        let name = number.isMultiple(of: 3) ? nil : "\(number)"
        stack.push(entry(name))
        model.append(name)
      case 6..<8:
        let popped: HistoryStep? = if let entry = stack.pop() { entry.step } else { nil }
        #expect((popped != nil) == !model.isEmpty)
        if let last = model.popLast() { #expect(popped?.name == last) }
      case 8:
        stack.trim(toSteps: 100, bytes: 60 * size)
        model.removeFirst(max(0, model.count - 60))
      default:
        #expect(stack.topName == model.last ?? nil)
      }
      #expect(stack.count == model.count)
      #expect(stack.byteCount == model.count * size)
      #expect(stack.topName == model.last ?? nil)
    }
    #expect(stack.steps.map(\.name) == model)
    stack.removeAll()
    #expect(stack.steps.isEmpty)
    let isNone = stack.pop() == nil
    #expect(isNone)
    #expect(stack.topName == nil)
  }

  @Test func `a limit of steps drops the oldest ones`() {
    var stack = StepStack(["a", "b", "c", "d"].map { entry($0).step })
    stack.trim(toSteps: 2, bytes: .max)
    #expect(stack.steps.map(\.name) == ["c", "d"])
    #expect(stack.topName == "d")
  }

  @Test func `of a step of which nothing is left none is left`() {
    var stack = StepStack([entry("a").step])
    // Its change is empty.
    #expect(!stack.changeTop { _ in })
    #expect(stack.count == 0)
    #expect(stack.byteCount == 0)
    #expect(stack.topName == nil)
  }
}
