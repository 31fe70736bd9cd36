extension StateLayout {
  /// Finds the keys that differ between two values, and the memory that differs.
  ///
  /// Allocates nothing if nothing differs; otherwise it allocates only what `changes` has no room for.
  ///
  /// - Parameters:
  ///   - old: The earlier value.
  ///   - new: The later value.
  ///   - changes: Cleared first, then filled.
  /// - Complexity: O(size of the state) with a very small constant; contents are compared only where bits differ.
  package func compare(old: UnsafeRawPointer, new: UnsafeRawPointer, into changes: inout ChangeSet) {
    changes.removeAll()
    forEachDifferentLeaf(old, new) { index in
      changes.insertDirty(index)
      let leaf = leaves + index
      switch leaf.pointee.sort {
      case .hidden: break
      case .bits: mark(leaf, in: &changes)
      case .double:
        let old = old.load(fromByteOffset: leaf.pointee.offset, as: Double.self)
        let new = new.load(fromByteOffset: leaf.pointee.offset, as: Double.self)
        if old != new, !(old.isNaN && new.isNaN) { mark(leaf, in: &changes) }
      case .string:
        let offset = leaf.pointee.offset
        let old = (old + offset).assumingMemoryBound(to: String.self)
        let new = (new + offset).assumingMemoryBound(to: String.self)
        if old.pointee != new.pointee { mark(leaf, in: &changes) }
      case .general:
        let offset = leaf.pointee.offset
        let areEqual = leaf.pointee.record._withUnsafeGuaranteedRef {
          $0.areEqual(old + offset, new + offset, depth: 0, hint: &changes.hint)
        }
        if !areEqual { mark(leaf, in: &changes) }
      }
    }
  }

  /// The memory of hidden properties that differs between two values, except where it can only be copied together with
  /// other properties.
  package func hiddenChanges(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> ChangeSet {
    var all = ChangeSet()
    compare(old: old, new: new, into: &all)
    var hidden = ChangeSet()
    hidden.insertDirty(of: all) { leaves[$0].sort == .hidden && leaves[$0].unitSize == leaves[$0].size }
    return hidden
  }

  /// Whether two values are equal, properties that the type itself hides included.
  package func isWhollyEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    var isEqual = true
    forEachDifferentLeaf(a, b) { index in
      isEqual = isEqual && areEqual(a, b, leaf: index)
    }
    return isEqual
  }

  /// Whether the values of a leaf (a unit of memory) are equal in two values of the type, whatever their bits.
  package func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, leaf: Int) -> Bool {
    let offset = leaves[leaf].offset
    return leaves[leaf].record._withUnsafeGuaranteedRef { $0.areEqual(a + offset, b + offset, depth: 0) }
  }

  /// Calls `body` with the index of each leaf (unit of memory) whose bits differ, in ascending order.
  @inline(__always)
  func forEachDifferentLeaf(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ body: (Int) -> Void) {
    let whole = size & ~7
    var offset = 0
    var last = -1
    while offset < whole {
      // While nothing differs, which is the rule, the memory of both values is compared four words at a time. After
      // four equal words, eight words are compared at a time.
      while offset &+ 32 <= whole, Self.difference(a + offset, b + offset) == 0 {
        offset &+= 32
        while offset &+ 64 <= whole, Self.areEqual(a + offset, b + offset) { offset &+= 64 }
      }
      let end = min(offset &+ 32, whole)
      while offset < end {
        let difference =
          a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if difference != 0 { last = visit(offset, UInt64(littleEndian: difference), after: last, body) }
        offset &+= 8
      }
    }
    guard whole < size else { return }
    var difference: UInt64 = 0
    for byte in whole..<size {
      let bits = a.load(fromByteOffset: byte, as: UInt8.self) ^ b.load(fromByteOffset: byte, as: UInt8.self)
      difference |= UInt64(bits) << UInt64((byte - whole) * 8)
    }
    if difference != 0 { _ = visit(whole, difference, after: last, body) }
  }

  @inline(__always)
  private static func difference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> UInt64 {
    var difference: UInt64 = 0
    for word in 0..<4 {
      difference |=
        a.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
        ^ b.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
    }
    return difference
  }

  /// Whether eight words are equal. The words are compared as vectors, since otherwise the compiler would make a branch
  /// for each word.
  @inline(__always)
  private static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    var difference = SIMD2<UInt64>()
    for pair in 0..<4 {
      difference |=
        a.loadUnaligned(fromByteOffset: pair &* 16, as: SIMD2<UInt64>.self)
        ^ b.loadUnaligned(fromByteOffset: pair &* 16, as: SIMD2<UInt64>.self)
    }
    return difference[0] | difference[1] == 0
  }

  /// Calls `body` with the leaves of one word that overlap its differing bits and were not visited before.
  @inline(__always)
  private func visit(_ offset: Int, _ difference: UInt64, after last: Int, _ body: (Int) -> Void) -> Int {
    var last = last
    let word = offset >> 3
    let only = Int(onlyLeaf[word])
    if only >= 0 {
      if only > last { body(only) }
      return only
    }
    let end = Int(endLeaf[word])
    var index = max(Int(firstLeaf[word]), last + 1)
    while index < end {
      let start = max(leaves[index].offset - offset, 0)
      let count = min(leaves[index].offset + leaves[index].size - offset, 8) - start
      let covered: UInt64 = count >= 8 ? .max : (1 << UInt64(count * 8)) &- 1
      if difference & (covered << UInt64(start * 8)) != 0 {
        last = index
        body(index)
      }
      index += 1
    }
    return last
  }

  @inline(__always)
  private func mark(_ leaf: UnsafeMutablePointer<Leaf>, in changes: inout ChangeSet) {
    changes.insert(mask: leaf.pointee.mask)
    if leaf.pointee.key >= 64 { markAncestry(of: leaf.pointee.key, in: &changes) }
  }

  private func markAncestry(of key: Int, in changes: inout ChangeSet) {
    var key = key
    while key >= 0 {
      changes.insert(key)
      key = Int(parents[key])
    }
  }
}
