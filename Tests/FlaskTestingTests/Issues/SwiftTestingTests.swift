import Dispatch
import FlaskTesting
import Testing

@Suite struct SwiftTestingTests {
  @Test func `an issue is one of Swift Testing, at the line of the assertion`() async {
    let line = #line + 4
    await withKnownIssue {
      await withTestFlux { test in
        let counter = Substance(Counter(), name: "counter")
        await test.expect(changing: counter) {
          $0.count = 1
        } by: {
          counter.mix { $0.count = 2 }
        }
      }
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.sourceLocation?.fileID == #fileID
        && issue.comments.first?.rawValue.hasPrefix("counter is not as the test says") == true
    }
  }

  @Test func `a fault on another thread is an issue of the test that caused it`() async {
    let line = #line + 7
    // One block after the other: when the second begins, the first has let go of what it holds.
    let queue = DispatchQueue(label: "another thread")
    await withKnownIssue {
      await withTestFlux { test in
        let counter = Substance(Counter(), name: "counter")
        await withCheckedContinuation { continuation in
          queue.async { counter.rollbackState() }
          queue.async { continuation.resume() }
        }
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix("Flask fault (nothingCaptured)") == true
    }
  }
}
