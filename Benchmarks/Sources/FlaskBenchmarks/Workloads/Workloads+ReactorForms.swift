import BenchmarkSink
import BenchmarkStates
import FlaskCore

/// W1 and W2 with a reactor, in the other forms that the documentation has.
extension Workloads {
  static func changedAndObservedInOtherForms() -> [Case] {
    [
      Case("W1", "reactor by key path", fires: 1) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = KeyPathReactor(sink)
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        return { count in
          withExtendedLifetime(owner) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
          }
        }
      },
      Case("W1", "getReactor", fires: 1) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = CounterReactor(sink)
        Flask.attachReactor(to: owner, mixing: substance)
        return {
          for _ in 0..<$0 {
            Flask.getReactor(attachedTo: owner).mix(substance) { $0.prop.counter &+= 1 }.react()
          }
        }
      },
    ]
  }

  static func changedAndNotObservedInOtherForms() -> [Case] {
    [
      Case("W2", "reactor by key path", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = KeyPathReactor(sink)
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        return { count in
          withExtendedLifetime(owner) {
            for _ in 0..<count / 2 {
              reactor.mix(substance) { $0.prop.text = "one" }.react()
              reactor.mix(substance) { $0.prop.text = "two" }.react()
            }
          }
        }
      },
      Case("W2", "getReactor", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = CounterReactor(sink)
        Flask.attachReactor(to: owner, mixing: substance)
        return {
          for _ in 0..<$0 / 2 {
            Flask.getReactor(attachedTo: owner).mix(substance) { $0.prop.text = "one" }.react()
            Flask.getReactor(attachedTo: owner).mix(substance) { $0.prop.text = "two" }.react()
          }
        }
      },
    ]
  }
}
