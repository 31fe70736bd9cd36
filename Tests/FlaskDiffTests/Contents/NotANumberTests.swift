import FlaskDiff
import Testing

@Suite struct NotANumberTests {
  enum Reading { case none, value(Double), list([Double]) }
  enum Strict: Equatable { case none, value(Double) }
  struct Point: Equatable { var x = 0.0 }
  struct State {
    var number = 0.0
    var half: Float = 0
    var maybe: Double?
    var list: [Double] = []
    var table: [String: Double] = [:]
    var reading = Reading.none
    var strict = Strict.none
    var points: [Point] = []
    var any: Any = 0.0
    var set: Set<Double> = []
  }

  /// The same meaning in other bits and other storage.
  private let one = Double(nan: 1, signaling: false)
  private let two = Double(nan: 2, signaling: false)

  private func state(_ nan: Double) -> State {
    State(
      number: nan,
      half: Float(nan),
      maybe: nan,
      list: [1, nan],
      table: ["a": nan, "b": 1],
      reading: .list([nan]),
      strict: .value(nan),
      points: [Point(x: nan)],
      any: nan,
      set: [nan, 1]
    )
  }

  @Test func `NaN equals itself wherever it is`() {
    #expect(StateDiff.changes(from: state(one), to: state(two)).keys == [])
  }

  @Test func `NaN that comes or goes is a change`() {
    let keys = StateDiff.changes(from: state(1), to: state(one)).keys
    #expect(
      keys == [
        "number", "half", "maybe", "list", "table", "table.a", "reading", "strict", "points", "any", "set",
      ]
    )
  }

  @Test func `zero and minus zero are the same`() {
    #expect(changedKeys(State()) { $0.number = -0.0 } == [])
  }
}
