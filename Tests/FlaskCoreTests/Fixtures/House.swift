import FlaskCore
@testable import KernelFixtures

/// An actor that holds an owner, and attaches a reactor to it.
actor House {
  private let listener = KeysListener()

  func furnish(_ substance: AnySubstance) { Flask.attachReactor(to: listener, mixing: substance) }
}
