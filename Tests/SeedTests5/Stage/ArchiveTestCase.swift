import Flask
import XCTest

/// A test case each of whose tests has an empty default archive, in memory, and no delays.
class ArchiveTestCase: StageTestCase {
  override func invokeTest() {
    let usual = Flask.defaultArchive
    Flask.defaultArchive = MemoryArchive()
    super.invokeTest()
    Flask.defaultArchive = usual
  }

  override func setUp() {
    super.setUp()
    Stage.current.skipDelays()
  }
}
