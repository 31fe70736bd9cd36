import FlaskTesting
import XCTest

/// In a test of XCTest an issue is a failure of that test.
final class XCTestTests: XCTestCase {
  func testWhatIsAssertedAndHappensIsNoFailure() async {
    await withTestFlux { test in
      let counter = Substance(Counter(), name: "counter")
      await test.expect(changing: counter) {
        $0.count = 2
      } by: {
        counter.mix { $0.count = 2 }
      }
    }
  }

  #if !canImport(ObjectiveC)
    private struct Failure: Equatable {
      let text: String
      let file: String
      let line: Int
    }

    private var kept: [Failure]?

    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if kept != nil {
        kept?.append(Failure(text: description, file: filePath, line: lineNumber))
      } else {
        super.recordFailure(
          withDescription: description,
          inFile: filePath,
          atLine: lineNumber,
          expected: expected
        )
      }
    }

    func testAnIssueIsAFailureAtTheLineOfTheAssertion() {
      kept = []
      let line = #line + 3
      withTestFlux(order: .oldestFirst) { test in
        let counter = Substance(Counter(), name: "counter")
        test.expect(changing: counter) {
          $0.count = 1
        } by: {
          _ = counter.mix { $0.count = 2 }
        }
      }
      let failures = kept
      kept = nil
      XCTAssertEqual(failures?.map(\.line), [line])
      XCTAssertEqual(failures?.map(\.file), ["\(#filePath)"])
      XCTAssertEqual(
        failures?.first?.text.hasSuffix(
          "counter is not as the test says (- as it says, + as it is):\n  - count: 1\n  + count: 2"
        ),
        true
      )
    }
  #endif
}
