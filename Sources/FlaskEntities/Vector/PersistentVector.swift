/// A table from small numbers to objects of one class. Copies share their nodes.
///
/// The table is a tree. Each level is indexed by some bits of the number. Nodes that no other copy holds are changed in
/// place. Lookup and change: O(log n) with the number of slots of a node as the base. The vector assigns the numbers,
/// the lowest first, and assigns freed numbers again.
@usableFromInline
struct PersistentVector<Object: VectorObject> {
  @usableFromInline var root: VectorNode?
  /// The number of assigned numbers that were not freed.
  private(set) var count = 0
  /// All assigned numbers are below this one.
  private(set) var end = 0
  /// The first freed number, or `none`. The slot of each freed number contains the next freed number.
  private var firstFree = none
  private static var none: Int { .max >> 1 }

  init() {}

  /// The address of the object with a number. Precondition: the vector has assigned this number, and has not freed it.
  /// Valid until the vector changes.
  @inlinable @inline(__always)
  subscript(number: Int) -> UnsafeRawPointer { Self.address(in: slot(number), of: number) }

  @inlinable @inline(__always)
  static func address(in slot: UInt, of number: Int) -> UnsafeRawPointer {
    guard let address = UnsafeRawPointer(bitPattern: slot & ~VectorNode.tagMask) else { missing(number) }
    return address
  }

  /// The content of the slot of a number in use: the address of the object, and the object's tag.
  @inlinable @inline(__always)
  func slot(_ number: Int) -> UInt { slots(around: number)[number & (1 &<< Object.slotBits &- 1)] }

  /// The slots of the lowest node that has the slot of a number in use. Valid until the vector changes.
  @inlinable @inline(__always)
  func slots(around number: Int) -> UnsafePointer<UInt> {
    guard let root else { Self.missing(number) }
    var node = Unmanaged.passUnretained(root)
    var shift = node._withUnsafeGuaranteedRef { $0.info.level } &* Object.slotBits
    while true {
      let slots = node._withUnsafeGuaranteedRef { $0.slots }
      if shift == 0 { return UnsafePointer(slots) }
      // If the number is in use, each slot on the way from the root is filled. A slot on the way to the object refers
      // to a node. Nodes have no tag, so nothing has to be masked.
      let slot = slots[(number &>> shift) & (1 &<< Object.slotBits &- 1)]
      guard let address = UnsafeRawPointer(bitPattern: slot) else { Self.missing(number) }
      node = Unmanaged.fromOpaque(address)
      shift &-= Object.slotBits
    }
  }

  @usableFromInline
  static func missing(_ number: Int) -> Never { preconditionFailure("no object has the number \(number)") }

  /// Makes the object with a number unique, so that it can be changed in place. If another vector also retains the
  /// object, a copy replaces it first.
  ///
  /// - Returns: The address of the object, which is uniquely referenced.
  mutating func makeUnique(_ number: Int, copy: (Object) -> Object) -> UnsafeRawPointer {
    let slot = uniqueSlot(number)
    let address = Self.address(in: slot.pointee, of: number)
    let object = Unmanaged<Object>.fromOpaque(address)
    // The slot holds the one strong reference of this vector. Borrowing it here does not change the reference count.
    var reference: Unmanaged<Object>? = object
    let isUnique = withUnsafeMutablePointer(to: &reference) { reference in
      // An optional of a class, and an optional of an unmanaged reference, are stored as an address.
      reference.withMemoryRebound(to: Object?.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
    if isUnique { return address }
    slot.pointee = Object.slot(for: copy(object.takeUnretainedValue()))
    object.release()
    return Self.address(in: slot.pointee, of: number)
  }

  /// Adds an object, and returns its index in the vector.
  mutating func insert(_ object: Object) -> Int {
    let number: Int
    if firstFree == Self.none {
      number = end
      end += 1
      grow(to: number)
      uniqueSlot(number).pointee = Object.slot(for: object)
    } else {
      number = firstFree
      let slot = uniqueSlot(number)
      firstFree = Int(slot.pointee >> 1)
      slot.pointee = Object.slot(for: object)
    }
    count += 1
    return number
  }

  /// Replaces the object with a number by another object.
  mutating func replace(_ number: Int, with object: Object) {
    let slot = uniqueSlot(number)
    let old = VectorNode.object(in: slot.pointee)
    slot.pointee = Object.slot(for: object)
    old?.release()
  }

  /// Releases an object and frees its number.
  mutating func remove(_ number: Int) {
    let slot = uniqueSlot(number)
    let old = VectorNode.object(in: slot.pointee)
    slot.pointee = UInt(firstFree) << 1 | 1
    firstFree = number
    count -= 1
    old?.release()
  }

  /// Releases the object with the highest number. No number may have been freed before.
  mutating func removeLast() {
    let slot = uniqueSlot(end - 1)
    let old = VectorNode.object(in: slot.pointee)
    slot.pointee = 0
    end -= 1
    count -= 1
    old?.release()
  }

  /// Copies all nodes into contiguous memory, so that lookups in a large vector are faster. Afterwards the nodes are
  /// not shared with other vectors. While a vector grows, its nodes are allocated between the objects, each on another
  /// page. The address translation of these pages takes as long as finding the object. Complexity: O(n).
  mutating func gatherNodes() {
    // With less than some dozen nodes there is nothing to gain: all of them stay in the processor's cache.
    if end > 1 << (2 * Object.slotBits) { root = root?.copyWithNodesBelow() }
  }

  private mutating func grow(to number: Int) {
    guard var top = root else { return root = VectorNode.make(level: 0, bits: Object.slotBits) }
    while number >> (Object.slotBits * (top.info.level + 1)) > 0 {
      let node = VectorNode.make(level: top.info.level + 1, bits: Object.slotBits)
      node.slots[0] = UInt(bitPattern: Unmanaged.passRetained(top).toOpaque())
      top = node
    }
    root = top
  }

  /// The slot of a number, in uniquely referenced nodes. Valid until the vector changes.
  private mutating func uniqueSlot(_ number: Int) -> UnsafeMutablePointer<UInt> {
    if !isKnownUniquelyReferenced(&root) { root = root?.copy() }
    guard let root else { Self.missing(number) }
    var node = Unmanaged.passUnretained(root)
    var level = root.info.level
    while true {
      let index = (number >> (level * Object.slotBits)) & (1 << Object.slotBits - 1)
      let slot = node._withUnsafeGuaranteedRef { $0.slots + index }
      if level == 0 { return slot }
      level -= 1
      node = Self.makeUnique(nodeIn: slot, level: level)
    }
  }

  private static func makeUnique(
    nodeIn slot: UnsafeMutablePointer<UInt>,
    level: Int
  ) -> Unmanaged<VectorNode> {
    guard let address = UnsafeRawPointer(bitPattern: slot.pointee) else {
      let node = Unmanaged.passRetained(VectorNode.make(level: level, bits: Object.slotBits))
      slot.pointee = UInt(bitPattern: node.toOpaque())
      return node
    }
    // The slot refers to a node, since its level is above 0. It has the one strong reference of this vector.
    let isUnique = slot.withMemoryRebound(to: VectorNode?.self, capacity: 1) {
      isKnownUniquelyReferenced(&$0.pointee)
    }
    let node = Unmanaged<VectorNode>.fromOpaque(address)
    if isUnique { return node }
    let mine = Unmanaged.passRetained(node._withUnsafeGuaranteedRef { $0.copy() })
    slot.pointee = UInt(bitPattern: mine.toOpaque())
    node.release()
    return mine
  }
}

extension PersistentVector {
  /// Calls `body` with each number whose objects differ between two vectors, in ascending order, and with both objects.
  ///
  /// Nodes that both share are not entered. Complexity: O(differences · log n).
  static func forEachDifference(
    _ a: PersistentVector,
    _ b: PersistentVector,
    _ body: (_ number: Int, _ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Void
  ) {
    _ = allDifferences(a, b) { number, a, b in
      body(number, a, b)
      return true
    }
  }

  /// Like `forEachDifference`, but ends when `body` returns `false`.
  ///
  /// - Returns: `false` if `body` returned `false`.
  static func allDifferences(
    _ a: PersistentVector,
    _ b: PersistentVector,
    _ body: (_ number: Int, _ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Bool
  ) -> Bool {
    // Both are held by the caller.
    let a = a.root.map(Unmanaged.passUnretained)
    let b = b.root.map(Unmanaged.passUnretained)
    let aLevel = a?._withUnsafeGuaranteedRef { $0.info.level } ?? 0
    let bLevel = b?._withUnsafeGuaranteedRef { $0.info.level } ?? 0
    if aLevel == bLevel, let a, let b {
      if a.toOpaque() == b.toOpaque() { return true }
      return visit(VectorNode.slots(at: a.toOpaque()), VectorNode.slots(at: b.toOpaque()), aLevel, 0, body)
    }
    return visit(a, b, max(aLevel, bLevel), 0, body)
  }

  /// The fast path for two nodes of the same level.
  private static func visit(
    _ a: UnsafePointer<UInt>,
    _ b: UnsafePointer<UInt>,
    _ level: Int,
    _ first: Int,
    _ body: (_ number: Int, _ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Bool
  ) -> Bool {
    for index in 0..<1 &<< Object.slotBits where a[index] != b[index] {
      let number = first &+ index &<< (level &* Object.slotBits)
      let a = object(at: a[index])
      let b = object(at: b[index])
      if level > 0, let a, let b {
        // Slots of levels above 0 refer to nodes of the level below.
        if !visit(VectorNode.slots(at: a), VectorNode.slots(at: b), level &- 1, number, body) { return false }
      } else if a != b, !visitChildren(a, b, level, number, body) {
        return false
      }
    }
    return true
  }

  @inline(never)
  private static func visit(
    _ a: Unmanaged<VectorNode>?,
    _ b: Unmanaged<VectorNode>?,
    _ level: Int,
    _ first: Int,
    _ body: (_ number: Int, _ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Bool
  ) -> Bool {
    if a?.toOpaque() == b?.toOpaque() { return true }
    for index in 0..<1 << Object.slotBits {
      let a = child(index, of: a, at: level)
      let b = child(index, of: b, at: level)
      if a == b { continue }
      let number = first + index << (level * Object.slotBits)
      if !visitChildren(a, b, level, number, body) { return false }
    }
    return true
  }

  private static func visitChildren(
    _ a: UnsafeRawPointer?,
    _ b: UnsafeRawPointer?,
    _ level: Int,
    _ number: Int,
    _ body: (_ number: Int, _ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Bool
  ) -> Bool {
    if level == 0 { return body(number, a, b) }
    return visit(
      a.map { Unmanaged.fromOpaque($0) },
      b.map { Unmanaged.fromOpaque($0) },
      level - 1,
      number,
      body
    )
  }

  /// The object that a slot refers to; `nil` if it is free.
  private static func object(at slot: UInt) -> UnsafeRawPointer? { VectorNode.address(in: slot) }

  /// Returns the child in a slot of a node on `level`. If `node` is a root on a lower level, the node itself counts as
  /// the first child.
  private static func child(_ index: Int, of node: Unmanaged<VectorNode>?, at level: Int) -> UnsafeRawPointer?
  {
    guard let node else { return nil }
    return node._withUnsafeGuaranteedRef { object in
      guard object.info.level == level else { return index == 0 ? UnsafeRawPointer(node.toOpaque()) : nil }
      return Self.object(at: object.slots[index])
    }
  }
}
