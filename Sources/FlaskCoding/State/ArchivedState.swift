package import FlaskCore

/// A state on its way to or from an archive. It is on the heap, since a state of many kilobytes that is passed by value
/// through several functions overflows a stack.
package struct ArchivedState<S: Codable & Sendable>: Codable, Sendable {
  package let pinned: PinnedState
  package var box: StateBox { pinned.box }

  package init(_ pinned: PinnedState) { self.pinned = pinned }

  /// Makes an object for the state in `box`, which the caller has pinned.
  package init(pinned box: StateBox) { self.init(PinnedState(box)) }

  /// A state in a box of its own, which no substance uses.
  package init(_ make: () throws -> S) rethrows {
    let box = try TypedStateBox(make)
    box.pin()
    self.init(pinned: box)
  }

  package init(from decoder: any Decoder) throws { try self.init { try S(from: decoder) } }

  /// A copy of the state.
  package var value: S { box.address.assumingMemoryBound(to: S.self).pointee }

  package func encode(to encoder: any Encoder) throws {
    try box.address.assumingMemoryBound(to: S.self).pointee.encode(to: encoder)
  }
}

/// A consistent state. It is pinned until this object is released, so its memory is not overwritten.
package final class PinnedState: Sendable {
  package let box: StateBox

  /// Makes an object for the state in `box`, which the caller has pinned.
  package init(_ box: StateBox) { self.box = box }

  deinit { box.unpin() }
}
