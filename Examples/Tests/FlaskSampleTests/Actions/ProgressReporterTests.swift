import Flask
import FlaskTesting
import Testing

@testable import FlaskSample

@MainActor
struct ProgressReporterTests {
  private final class Shown {
    var lines: [String] = []
  }

  @Test func `The first count is shown at once, and then the last one of each tenth of a second`() async {
    await withTestFlux { test in
      let shown = Shown()
      test.dispatcher.register(workers: [ProgressReporter { shown.lines.append($0) }])
      await test.send(LinesRead(count: 1))
      await test.advance(by: .zero)
      #expect(shown.lines == ["1 lines read"])
      await test.send(LinesRead(count: 2))
      await test.send(LinesRead(count: 3))
      await test.advance(by: .milliseconds(99))
      #expect(shown.lines == ["1 lines read"])
      await test.advance(by: .milliseconds(1))
      #expect(shown.lines == ["1 lines read", "3 lines read"])
    }
  }

  @Test func `What waits is not shown once the effect is cancelled`() async {
    await withTestFlux { test in
      let shown = Shown()
      test.dispatcher.register(workers: [ProgressReporter { shown.lines.append($0) }])
      await test.send(LinesRead(count: 1))
      await test.advance(by: .zero)
      await test.send(LinesRead(count: 2))
      test.dispatcher.cancelEffects(id: ProgressReporter.effect)
      await test.advance(by: .seconds(1))
      #expect(shown.lines == ["1 lines read"])
    }
  }
}
