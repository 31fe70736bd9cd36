public import FlaskCore

/// The state of most workloads: ten properties of the usual types.
public struct State10: FlaskState, Equatable, Codable {
  /// The keys.
  public enum prop: StateProp {
    case counter, text, a, b, c, d, e, f, g, h
  }

  public var counter = 0
  public var text = "text"
  public var a = 1
  public var b = 2.0
  public var c = HeapText.make("a string that lives on the heap")
  public var d = true
  public var e = [1, 2, 3]
  public var f = ["one": 1, "two": 2]
  public var g: Int? = 7
  public var h = HeapText.make("another string that lives on the heap")

  /// The initial state.
  public init() {}
}
