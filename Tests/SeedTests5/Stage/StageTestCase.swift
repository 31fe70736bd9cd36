import XCTest

/// A test case each of whose tests has a `Stage` of its own.
class StageTestCase: XCTestCase {
  override func invokeTest() {
    Stage.setUp { super.invokeTest() }
  }
}
