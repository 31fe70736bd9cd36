internal import BenchmarkStates
public import Observation

/// `State10` as a model of the standard library's observation.
@Observable
public final class ObservableModel10 {
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
