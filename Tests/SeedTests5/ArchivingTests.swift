// swift-format-ignore-file
import Flask
import XCTest

/// Seeds 000, 001 and 003, “Archiving”.
class ArchivingTests: ArchiveTestCase {

struct AppState : State {
    var counter = 0
}

// Free in the document.
class MySubstanceClass : Substance<AppState> {

    override func archiveKeySpace()->String{
        return "1"
    }
    
    override func archiveKey()->String{
        return "Fx.\(archiveKeySpace()).\(name())"
    }
    
    override func archiveDelay()->Double{
        return 2.0
    }
    
    override func archiveDisabled()->Bool{
        return !shouldArchive
    }
}

  func testTheNextSubstanceOfTheNameHasTheState() {
    let owner = TestOwner()
    do {
let substance = MySubstanceClass(name:"uniqueName",archive:true)
      Flask.reactor(attachedTo: owner, mixing: substance).mix(substance) { $0.prop.counter = 3 }.react()
      substance.archiveNow()
      substance.name(as: "another")
    }
    XCTAssertEqual(try Flask.defaultArchive.keys(withPrefix: ""), ["Fx.1.uniqueName"])
let substance = MySubstanceClass(name:"uniqueName",archive:true)
    XCTAssertEqual(substance.state.counter, 3)
    XCTAssertEqual(SnippetEnvironment.current.faults, [])
  }

  func testShouldArchiveTurnsItOff() {
let substance = MySubstanceClass(name:"uniqueName",archive:true)
    substance.shouldArchive = false
    XCTAssertFalse(substance.archiveNow())
    XCTAssertEqual(try Flask.defaultArchive.keys(withPrefix: ""), [])
    XCTAssertEqual(SnippetEnvironment.current.faults, [.archiveOff])
  }

  func testTheMethodsAnswerAsTheSnippetSays() {
    let substance = MySubstanceClass(name: "uniqueName", archive: true)
    XCTAssertEqual(substance.archiveKeySpace(), "1")
    XCTAssertEqual(substance.archiveKey(), "Fx.1.uniqueName")
    XCTAssertEqual(substance.archiveDelay(), 2.0)
    XCTAssertFalse(substance.archiveDisabled())
  }
}

extension ArchivingTests.MySubstanceClass: @unchecked Sendable {}
