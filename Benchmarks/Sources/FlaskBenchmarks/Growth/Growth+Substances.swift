import BenchmarkSink
import BenchmarkStates
import FlaskCore

/// Growth with the number of substances.
extension Growth {
  static func substances() -> [Growing] {
    [
      Growing("substances with a reactor each", [1, 10, 100, 1000, 10_000]) { size, sink in
        let substances = (0..<size).map { _ in Flask.newSubstance(definedBy: SmallState.self) }
        let owners = substances.map { _ in Mixing() }
        let reactors = zip(owners, substances).map { Flask.reactor(attachedTo: $0, mixing: $1) }
        return changeLast(substances, reactors[size - 1], sink, keeping: owners)
      },
      Growing("one reactor of all, mixing the last", [1, 10, 100, 1000, 10_000]) { size, sink in
        let substances = (0..<size).map { _ in Flask.newSubstance(definedBy: SmallState.self) }
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substances)
        return changeLast(substances, reactor, sink, keeping: owner)
      },
      Growing("a reactive substance is made and goes, beside others", [1, 10, 100, 1000, 10_000], fires: 0) {
        size,
        _ in
        // On a flux of its own, beside these others and no more.
        let flux = Flux()
        let others = Flux.$current.withValue(flux) { (0..<size).map { _ in Ticking() } }
        return { count in
          withExtendedLifetime(others) {
            Flux.$current.withValue(flux) { for _ in 0..<count { _ = Ticking() } }
          }
        }
      },
    ]
  }

  private static func changeLast(
    _ substances: [Substance<SmallState>],
    _ reactor: AnyReactor,
    _ sink: Sink,
    keeping owner: Any
  ) -> (Int) -> Void {
    let last = substances[substances.count - 1]
    let token = last.observe(\.number) { sink.hear($0, $1) }
    return { count in
      withExtendedLifetime((substances, owner, token)) {
        for _ in 0..<count { reactor.mix(last) { $0.prop.number &+= 1 }.react() }
      }
    }
  }
}
