/// A consistent state, pinned until the end of this object, so that it is not written to.
final class PinnedState: Sendable {
  let box: StateBox

  /// The state in `box`, which the caller has pinned.
  init(_ box: StateBox) { self.box = box }

  deinit { box.unpin() }
}
