import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// Whatever is misused gives exactly one fault, which names the culprit and the remedy, and traps nowhere.
@Suite(.ownFlux) struct MisuseTests {
  struct Misuse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: FlaskFault.Kind
    /// What the message names: the substance, key, mixer or type; and the remedy.
    let mentions: [String]
    let file: String
    /// Does it, and returns the line that is at fault.
    let body: @Sendable () -> UInt
  }

  @Test(arguments: Misuse.all) func `a misuse is one fault with place, culprit and remedy`(misuse: Misuse) {
    let line = misuse.body()
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [misuse.kind])
    guard let fault = faults.first else { return }
    for mention in misuse.mentions {
      #expect(fault.message.contains(mention), "\(fault.message) does not mention \(mention)")
    }
    #expect(fault.fileID == misuse.file)
    #if !DEBUG
      // Nothing tells the line of a property's caller in a release build: the message says which line it names.
      if misuse.kind == .propOutsideMix {
        #expect(fault.message.contains("the line is the one that made the substance"))
        #expect(fault.line < line)
        return
      }
    #endif
    #expect(fault.line == line)
    #expect(
      fault.description.hasPrefix("\(misuse.file):\(line): Flask fault (\(misuse.kind))")
    )
  }

  @Test func `at least twelve ways of misuse are tried`() {
    #expect(Set(Misuse.all.map(\.kind.rawValue)).count >= 12)
  }
}
