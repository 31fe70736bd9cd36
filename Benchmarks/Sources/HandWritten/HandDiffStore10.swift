public import BenchmarkStates

/// The bound with a snapshot: copies the old struct, mutates, compares every property.
public final class HandDiffStore10 {
  private var state = State10()
  private let onCounter: (Int, Int) -> Void
  /// The properties that the last change changed, by number; kept, so that no comparison is optimised away.
  public private(set) var changed: UInt64 = 0

  /// A store with the initial state.
  ///
  /// - Parameter onCounter: called with the old and the new value when `counter` has changed.
  public init(onCounter: @escaping (Int, Int) -> Void) {
    self.onCounter = onCounter
  }

  /// Changes the state.
  @inline(never)
  public func mutate(_ body: @escaping (inout State10) -> Void) {
    let old = state
    body(&state)
    changed = HandDiffStore10.changes(from: old, to: state)
    if changed & 1 != 0 { onCounter(old.counter, state.counter) }
  }

  @inline(never)
  private static func changes(from old: State10, to new: State10) -> UInt64 {
    var changed: UInt64 = 0
    if old.counter != new.counter { changed |= 1 << 0 }
    if old.text != new.text { changed |= 1 << 1 }
    if old.a != new.a { changed |= 1 << 2 }
    if old.b != new.b { changed |= 1 << 3 }
    if old.c != new.c { changed |= 1 << 4 }
    if old.d != new.d { changed |= 1 << 5 }
    if old.e != new.e { changed |= 1 << 6 }
    if old.f != new.f { changed |= 1 << 7 }
    if old.g != new.g { changed |= 1 << 8 }
    if old.h != new.h { changed |= 1 << 9 }
    return changed
  }
}
