extension StateLayout {
  /// Copies the memory that a comparison found to differ from one of the two values to the other.
  ///
  /// - Parameters:
  ///   - changes: the result of ``compare(old:new:into:)`` for these two values. It is passed as a pointer, so that its
  ///     arrays are not retained and released for the call.
  ///   - source: either of the two values.
  ///   - target: the other value.
  package func copyDirty(
    _ changes: UnsafePointer<ChangeSet>,
    from source: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    for index in 0..<changes.pointee.dirtyCount {
      assign(leaves + changes.pointee.dirtyLeaf(at: index), from: source, to: target)
    }
  }

  /// Copies each unit of memory whose bits differ.
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
