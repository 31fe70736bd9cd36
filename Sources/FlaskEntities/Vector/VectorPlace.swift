/// A cache of the node in which the last object of a vector was found. The next requested object is most often in the
/// same node.
struct VectorPlace<Object: VectorObject> {
  /// The slots of the node, which has the lowest level; `nil` at the beginning.
  ///
  /// Valid as long as the owner of this value retains the vector: its nodes are not released then, and are not changed
  /// in place while two vectors share them.
  private var slots: UnsafePointer<UInt>?
  /// The number to which the first of these slots belongs.
  private var first = 0

  /// The address of the object with this number.
  ///
  /// Precondition: `vector` has an object with this number, and all calls pass the same vector: this value caches the
  /// address of one of its nodes.
  @inline(__always)
  mutating func address(of number: Int, in vector: PersistentVector<Object>) -> UnsafeRawPointer {
    let index = number & (1 &<< Object.slotBits &- 1)
    if let slots, first == number &- index {
      return PersistentVector<Object>.address(in: slots[index], of: number)
    }
    let slots = vector.slots(around: number)
    self.slots = slots
    first = number &- index
    return PersistentVector<Object>.address(in: slots[index], of: number)
  }
}
