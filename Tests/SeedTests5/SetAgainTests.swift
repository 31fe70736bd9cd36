import Flask
import XCTest

/// A handler that is read and set again, in each language mode: nothing is put around it.
final class SetAgainTests: XCTestCase {
  private final class Places: @unchecked Sendable {
    // Touched by the thread of the test.
    var reached = 0

    @inline(never)
    func reach() -> Int {
      var local = 0
      reached = withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
      return reached
    }
  }

  @available(*, deprecated, message: "Uses older names.")
  func testHandlerIsCalledAsDirectly() {
    struct Count: State { var number = 0 }
    let counter = Substance<Count>()
    let owner = TestOwner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: counter, isolation: nil)
    let places = Places()
    reactor.handler = { _, _ in _ = places.reach() }
    func depth(_ times: Int, _ setAgain: () -> Void) -> Int {
      for _ in 0..<times { setAgain() }
      counter.mix { $0.number += 1 }
      let reached = places.reached
      return places.reach() - reached
    }
    var depths: [Int] = []
    for times in [1, 200] {
      depths.append(depth(times) { reactor.handler = reactor.handler })
    }
    XCTAssertEqual(depths[0], depths[1])
    for times in [1, 200] {
      depths.append(depth(times) { reactor.reactor = reactor.reactor })
    }
    XCTAssertEqual(depths[2], depths[3])
    XCTAssertGreaterThan(depths[0], 0)
  }
}
