/// A state on its way to or from an archive: on the heap, since one of many kilobytes, passed by value from function to
/// function, overflows a stack.
final class ArchivedState<S: State>: Codable, Sendable {
  /// The state. Pinned until the end of this object, so that nobody writes to it.
  let box: StateBox

  /// The state in `box`, which the caller has pinned.
  init(pinned box: StateBox) { self.box = box }

  /// A new initial state.
  convenience init() {
    self.init(pinning: TypedStateBox { S() })
  }

  convenience init(from decoder: any Decoder) throws {
    self.init(pinning: try TypedStateBox { try S(from: decoder) })
  }

  private init(pinning box: StateBox) {
    box.pin()
    self.box = box
  }

  deinit { box.unpin() }

  func encode(to encoder: any Encoder) throws {
    try box.address.assumingMemoryBound(to: S.self).pointee.encode(to: encoder)
  }
}
