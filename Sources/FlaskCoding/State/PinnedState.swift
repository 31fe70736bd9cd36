package import FlaskCore

/// A consistent state. It is pinned until this object is released, so its memory is not overwritten.
package final class PinnedState: Sendable {
  package let box: StateBox

  /// Makes an object for the state in `box`, which the caller has pinned.
  package init(_ box: StateBox) { self.box = box }

  deinit { box.unpin() }
}
