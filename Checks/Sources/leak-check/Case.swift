import Flask
import SeededNumbers

/// One kind of thing that is made, used and dropped.
struct Case: Sendable {
  let name: String
  /// How many times as dear as the others it is: so many times fewer are made.
  var weight = 1
  /// The faults that it sets off on purpose.
  var faults: Set<FlaskFault.Kind> = []
  /// Makes, uses and drops so many.
  let run: @Sendable (_ count: Int) async -> Void

  static let all: [Case] =
    substances + observers + sequences + reactors + reactions + fluxes + mixers + actions + effects + archives
    + views

  init(
    _ name: String,
    weight: Int = 1,
    faults: Set<FlaskFault.Kind> = [],
    run: @escaping @Sendable (_ count: Int) async -> Void
  ) {
    self.name = name
    self.weight = weight
    self.faults = faults
    self.run = run
  }
}

/// In which order things that live at once are let go of.
enum Order: String, CaseIterable {
  case firstInFirstOut = "first in, first out"
  case lastInFirstOut = "last in, first out"
  case random = "random order"

  /// Calls `body` with each element, which nobody else holds any more.
  func drain<Element>(_ elements: consuming [Element], _ body: (Element) -> Void) {
    switch self {
    case .firstInFirstOut: elements.reverse()
    case .lastInFirstOut: break
    case .random:
      var generator = SeededGenerator(seed: 42)
      elements.shuffle(using: &generator)
    }
    while let element = elements.popLast() { body(element) }
  }
}
