import BenchmarkStates
import FlaskCore

/// A substance, and a reactor without handler to mix it through.
struct Mixing {
  let substance = Flask.newSubstance(definedBy: State10.self)
  let reactor: Reactor<Owner>
  private let owner = Owner()

  init() { reactor = Flask.reactor(attachedTo: owner, mixing: substance) }
}

final class Owner {}
