/// A state at one moment, pinned until the end of this object, so that nobody writes to it.
final class PinnedState: Sendable {
  let box: StateBox

  /// The state in `box`, which the caller has pinned.
  init(_ box: StateBox) { self.box = box }

  deinit { box.unpin() }
}
