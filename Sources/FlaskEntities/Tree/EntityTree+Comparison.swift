extension EntityTree {
  /// Whether two trees have the same elements in the same order.
  ///
  /// Leaves that both trees share are not entered. Leaves never exchange positions. So if all elements are in their old
  /// positions, the leaves that are not shared cover the same offsets in both trees. Complexity: O(changes · log n).
  ///
  /// - Parameters:
  ///   - ofEqualBytes: Whether elements of equal bytes are equal, and need not be passed to `areEqual`.
  ///   - areEqual: Whether two elements are the same.
  static func areEqual(
    _ a: UnsafePointer<EntityTree>,
    _ b: UnsafePointer<EntityTree>,
    ofEqualBytes: Bool,
    elements areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    if a.pointee.count != b.pointee.count { return false }
    var isEqual = true
    // If both trees have the same leaves with equal numbers of elements, each element has its old offset.
    let isInPlace = PersistentVector.allDifferences(a.pointee.leaves, b.pointee.leaves) { _, a, b in
      guard let pair = LeafPair(a, b) else { return false }
      if isEqual { isEqual = ofEqualBytes ? pair.allDifferingSatisfy(areEqual) : pair.allSatisfy(areEqual) }
      return true
    }
    if isInPlace { return isEqual }
    return self.areEqual(rearranged: a.pointee, b.pointee, doElementsStay: ofEqualBytes, elements: areEqual)
  }

  /// - Parameter doElementsStay: whether equal elements of equal trees are in the same leaves. `false` if the `==` of
  ///   the elements may ignore identities. Then all elements are compared.
  private static func areEqual(
    rearranged a: EntityTree,
    _ b: EntityTree,
    doElementsStay: Bool,
    elements areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    var aRanges: [Range<Int>] = []
    var bRanges: [Range<Int>] = []
    PersistentVector.forEachDifference(a.leaves, b.leaves) { number, aLeaf, bLeaf in
      if aLeaf != nil { aRanges.append(a.offsets(ofLeaf: number)) }
      if bLeaf != nil { bRanges.append(b.offsets(ofLeaf: number)) }
    }
    let ranges = joined(aRanges)
    if ranges != joined(bRanges) {
      return doElementsStay ? false : self.areEqual(a, b, in: 0..<a.count, elements: areEqual)
    }
    return ranges.allSatisfy { self.areEqual(a, b, in: $0, elements: areEqual) }
  }

  private static func areEqual(
    _ a: EntityTree,
    _ b: EntityTree,
    in range: Range<Int>,
    elements areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    var aElements = EntityElements(a, from: range.lowerBound)
    var bElements = EntityElements(b, from: range.lowerBound)
    return range.allSatisfy { _ in
      guard let a = aElements.next(), let b = bElements.next() else { return false }
      return areEqual(a, b)
    }
  }

  /// The offsets in the collection of a leaf's elements, such as `40..<72`.
  func offsets(ofLeaf leaf: Int) -> Range<Int> {
    let start = offset(ofLeaf: leaf)
    return start..<start + withLeaf(leaf) { $0.info.count }
  }

  /// Joins adjacent ranges, and returns the ranges in ascending order.
  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.ordered(by: { $0.lowerBound }) {
      if let last = joined.last, last.upperBound == range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<range.upperBound
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

/// The elements of a leaf, in order.
struct LeafElements {
  private let order: UnsafeMutablePointer<UInt8>
  fileprivate let elements: UnsafeMutableRawPointer
  fileprivate let stride: Int
  fileprivate let record: Unmanaged<TypeRecord>
  let count: Int
  let stamp: UInt64
  /// Whether each element is stored in the slot of its position in the leaf, so that the elements are contiguous.
  fileprivate let isInOrder: Bool

  init(_ leaf: UnsafeRawPointer) {
    let leaf = Unmanaged<EntityLeaf>.fromOpaque(leaf)
    let info = leaf._withUnsafeGuaranteedRef { $0.infoPointer }
    order = leaf._withUnsafeGuaranteedRef { $0.order }
    count = info.pointee.count
    stamp = info.pointee.stamp
    isInOrder = info.pointee.isInOrder
    stride = info.pointee.layout.stride
    record = info.pointee.layout.record
    elements = EntityLeaf.elements(of: order, alignment: info.pointee.layout.alignment)
  }

  subscript(index: Int) -> UnsafeRawPointer { UnsafeRawPointer(elements + Int(order[index]) * stride) }
}

/// Two states of one leaf with equal numbers of elements.
struct LeafPair {
  private let old: LeafElements
  private let new: LeafElements

  /// The result is `nil` unless both are states of one leaf with equal numbers of elements.
  init?(_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?) {
    guard let old, let new else { return nil }
    self.old = LeafElements(old)
    self.new = LeafElements(new)
    if self.old.count != self.new.count || self.old.stamp != self.new.stamp { return nil }
  }

  /// Describes the type of the elements.
  var record: Unmanaged<TypeRecord> { old.record }

  /// Whether elements at the same position have the same number in both states.
  var areBothInOrder: Bool { old.isInOrder && new.isInOrder }

  /// Whether `body` returns true for the old and the new element at every position.
  func allSatisfy(_ body: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool) -> Bool {
    for index in 0..<old.count where !body(old[index], new[index]) { return false }
    return true
  }

  /// Whether `body` returns true at every position where the bytes of the elements differ. It may also be called at
  /// other positions.
  ///
  /// Elements that are contiguous in both are compared several at a time, whatever their type.
  func allDifferingSatisfy(_ body: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool) -> Bool {
    let stride = old.stride
    guard areBothInOrder, stride & 7 == 0 else { return allSatisfy(body) }
    let a = UnsafeRawPointer(old.elements)
    let b = UnsafeRawPointer(new.elements)
    let end = old.count * stride
    var offset = 0
    while let difference = Self.firstDifference(a, b, from: offset, to: end) {
      let element = difference / stride * stride
      if !body(a + element, b + element) { return false }
      offset = element + stride
    }
    return true
  }

  /// The offset of the first eight bytes that differ; `nil` if all bytes from `start` to `end` are equal. `start` and
  /// `end` are multiples of 8.
  private static func firstDifference(
    _ a: UnsafeRawPointer,
    _ b: UnsafeRawPointer,
    from start: Int,
    to end: Int
  ) -> Int? {
    @inline(__always)
    func difference(_ offset: Int) -> UInt64 {
      a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    var offset = start
    while offset + 64 <= end {
      let first =
        difference(offset) | difference(offset + 8) | difference(offset + 16) | difference(offset + 24)
      let second =
        difference(offset + 32) | difference(offset + 40) | difference(offset + 48) | difference(offset + 56)
      if first | second != 0 { break }
      offset += 64
    }
    while offset < end {
      if difference(offset) != 0 { return offset }
      offset += 8
    }
    return nil
  }
}

/// Walks elements in order, without knowing their type.
struct EntityElements {
  private var cursor: EntityCursor
  private let stride: Int
  private let alignment: Int
  private var order: UnsafeMutablePointer<UInt8>?
  private var end: UnsafeMutablePointer<UInt8>?
  private var elements: UnsafeMutableRawPointer?

  /// - Parameter offset: the offset of the first element of the leaf with which the walk begins.
  init(_ tree: EntityTree, from offset: Int) {
    cursor = EntityCursor(tree, from: offset)
    let layout = tree.layout
    stride = layout?.stride ?? 0
    alignment = layout?.alignment ?? 1
  }

  /// The memory of the next element, valid as long as this value; `nil` at the end.
  mutating func next() -> UnsafeRawPointer? {
    if order == end {
      guard let leaf = cursor.next() else { return nil }
      order = leaf.order
      end = leaf.order + leaf.count
      elements = EntityLeaf.elements(of: leaf.order, alignment: alignment)
    }
    guard let place = order, let elements else { return nil }
    order = place + 1
    return UnsafeRawPointer(elements + Int(place.pointee) * stride)
  }
}

extension EntityTree {
  /// The memory layout of the elements; `nil` if the tree has no elements.
  var layout: EntityLayout? {
    root < 0 ? nil : withLeaf(locate(0).leaf) { $0.info.layout }
  }
}
