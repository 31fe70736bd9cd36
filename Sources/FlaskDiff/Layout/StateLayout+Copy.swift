extension StateLayout {
  /// Assigns the leaves that a comparison found dirty, from one value to the other.
  ///
  /// - Parameters:
  ///   - changes: What ``compare(old:new:into:)`` made of these two values. Behind a pointer, so that its arrays are
  ///     not retained and released for the call.
  ///   - source: Either of the two.
  ///   - target: The other one.
  package func copyDirty(
    _ changes: UnsafePointer<ChangeSet>,
    from source: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    for index in 0..<changes.pointee.dirtyCount {
      assign(leaves + changes.pointee.dirtyLeaf(at: index), from: source, to: target)
    }
  }

  /// Assigns every leaf whose bits differ.
  ///
  /// - Returns: whether any memory differed.
  @discardableResult
  package func copyDifferences(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Bool {
    var hasDifference = false
    forEachDifferentLeaf(source, target) { index in
      hasDifference = true
      assign(leaves + index, from: source, to: target)
    }
    return hasDifference
  }

  @inline(__always)
  private func assign(
    _ leaf: UnsafeMutablePointer<Leaf>,
    from source: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    let offset = leaf.pointee.unitOffset
    let size = leaf.pointee.unitSize
    if leaf.pointee.isTrivialUnit {
      if size == 8 {
        let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      } else {
        (target + offset).copyMemory(from: source + offset, byteCount: size)
      }
    } else if leaf.pointee.sort == .string {
      let source = (source + offset).assumingMemoryBound(to: String.self)
      (target + offset).assumingMemoryBound(to: String.self).pointee = source.pointee
    } else {
      leaf.pointee.unit._withUnsafeGuaranteedRef { $0.assign(from: source + offset, to: target + offset) }
    }
  }
}
