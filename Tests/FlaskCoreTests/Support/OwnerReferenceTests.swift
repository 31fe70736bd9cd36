import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite struct OwnerReferenceTests {
  /// How a reference is kept: with the function of the runtime, where there is one, or weakly, as on systems with
  /// Objective-C.
  enum Way: CaseIterable, Sendable {
    case counted, weak

    func reference<Object: AnyObject>(to object: Object) -> OwnerReference<Object> {
      OwnerReference(object, tryRetain: self == .counted ? RuntimeFunctions.tryRetain : nil)
    }
  }

  /// Looks at a reference to itself while it goes.
  private final class Mirror {
    let log: Recorder<Bool>
    var reference: OwnerReference<Mirror>?

    init(_ log: Recorder<Bool>) { self.log = log }

    deinit { log.append(reference?.object == nil) }
  }

  @Test(arguments: Way.allCases)
  func `a reference gives its object, and does not hold it`(_ way: Way) {
    weak var gone: Owner?
    let reference: OwnerReference<Owner>
    do {
      let owner = Owner()
      gone = owner
      reference = way.reference(to: owner)
      #expect(reference.object === owner)
    }
    #expect(gone == nil)
    #expect(reference.object == nil)
  }

  @Test(arguments: Way.allCases)
  func `an object that has begun to go is not given any more`(_ way: Way) {
    let log = Recorder<Bool>()
    do {
      let mirror = Mirror(log)
      mirror.reference = way.reference(to: mirror)
    }
    #expect(log.all == [true])
  }

  @Test(arguments: Way.allCases)
  func `what was asked for is held until it is let go`(_ way: Way) {
    let log = Recorder<String>()
    var owner: LastWords? = LastWords { log.append("gone") }
    let reference = owner.map { way.reference(to: $0) }
    var held = reference?.object
    owner = nil
    log.append("held")
    withExtendedLifetime(held) {}
    held = nil
    log.append("let go")
    #expect(log.all == ["held", "gone", "let go"])
    #expect(reference?.object == nil)
  }

  @Test(arguments: Way.allCases)
  func `an object that has weak references too is given as long as it lives`(_ way: Way) {
    var owner: Owner? = Owner()
    weak var weak: Owner?
    weak = owner
    let reference = owner.map { way.reference(to: $0) }
    #expect(reference?.object === weak)
    #expect(reference?.object != nil)
    owner = nil
    #expect(weak == nil)
    #expect(reference?.object == nil)
  }

  @Test(arguments: Way.allCases)
  func `no other object gets the memory of one that was removed`(_ way: Way) {
    let references = (0..<100).map { _ in
      let owner = Owner()
      return way.reference(to: owner)
    }
    let others = (0..<1_000).map { _ in Owner() }
    #expect(references.allSatisfy { $0.object == nil })
    withExtendedLifetime(others) {}
  }

  @Test(arguments: Way.allCases)
  func `threads that ask while the last reference goes find the object whole, or none`(_ way: Way) async {
    for _ in 0..<Workload.count(200, full: 5_000) {
      let log = Recorder<Int>()
      let last = Recorder<Recorder<Int>>()
      last.append(log)
      let reference = way.reference(to: log)
      _ = consume log
      await OtherThread.run(times: 3) { number in
        if number == 0 {
          withExtendedLifetime(last.take()) {}
        } else if let found = reference.object {
          found.append(number)
          #expect(found.all.contains(number))
        }
      }
      #expect(reference.object == nil)
    }
  }
}
