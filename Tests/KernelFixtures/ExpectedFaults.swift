import FlaskCore
import Testing

extension Flux {
  /// Makes a flux whose faults of the given kinds are expected, however many there are. One of another kind is an issue.
  convenience init(expecting kinds: FlaskFault.Kind...) {
    self.init()
    expect(kinds)
  }

  /// From now on, faults of the given kinds are expected, and one of another kind is an issue.
  func expect(_ kinds: [FlaskFault.Kind]) {
    onFault = { fault in
      if !kinds.contains(fault.kind) { Issue.record("\(fault)") }
    }
  }
}
