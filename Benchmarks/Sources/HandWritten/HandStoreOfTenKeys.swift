public import BenchmarkStates

/// The bound for many observers: all ten properties are watched, each with observers of its own.
public final class HandStoreOfTenKeys {
  private var state = State10()
  public var onCounter: [(Int, Int) -> Void] = []
  public var onText: [(String, String) -> Void] = []
  public var onA: [(Int, Int) -> Void] = []
  public var onB: [(Double, Double) -> Void] = []
  public var onC: [(String, String) -> Void] = []
  public var onD: [(Bool, Bool) -> Void] = []
  public var onE: [([Int], [Int]) -> Void] = []
  public var onF: [([String: Int], [String: Int]) -> Void] = []
  public var onG: [(Int?, Int?) -> Void] = []
  public var onH: [(String, String) -> Void] = []

  /// A store with the initial state.
  public init() {}

  /// Changes the state.
  @inline(never)
  public func mutate(_ body: @escaping (inout State10) -> Void) {
    let old = state
    body(&state)
    if old.counter != state.counter { for observer in onCounter { observer(old.counter, state.counter) } }
    if old.text != state.text { for observer in onText { observer(old.text, state.text) } }
    if old.a != state.a { for observer in onA { observer(old.a, state.a) } }
    if old.b != state.b { for observer in onB { observer(old.b, state.b) } }
    if old.c != state.c { for observer in onC { observer(old.c, state.c) } }
    if old.d != state.d { for observer in onD { observer(old.d, state.d) } }
    if old.e != state.e { for observer in onE { observer(old.e, state.e) } }
    if old.f != state.f { for observer in onF { observer(old.f, state.f) } }
    if old.g != state.g { for observer in onG { observer(old.g, state.g) } }
    if old.h != state.h { for observer in onH { observer(old.h, state.h) } }
  }
}
