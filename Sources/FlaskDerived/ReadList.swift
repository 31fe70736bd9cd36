internal import Synchronization

/// An entry of a `ReadList`: the keys of one substance that a derived value has read. The list retains the substance's
/// cell.
struct KeysRead {
  let cell: UnretainedReference<Cell>
  /// The object that records at which version each key of the substance changed last. It is attached to the cell, and
  /// valid as long as the cell.
  let dependents: UnretainedReference<Dependents>
  /// The keys from 0 to 63 as a bit set, with key 0 in the lowest bit. The other keys are in `more`.
  var keys: UInt64 = 0
  var more: [Int] = []
  var isWhole = false

  init(of cell: Cell) {
    self.cell = UnretainedReference(cell)
    dependents = UnretainedReference(Dependents.of(cell))
  }

  mutating func insert(_ key: Int) {
    if key < 0 {
      isWhole = true
    } else if key < 64 {
      keys |= 1 &<< UInt64(key)
    } else if !more.contains(key) {
      more.append(key)
    }
  }

  mutating func formUnion(_ other: KeysRead) {
    keys |= other.keys
    isWhole = isWhole || other.isWhole
    for key in other.more { insert(key) }
  }

  /// Calls `body` with each key, or with -1 if the whole state was read.
  func forEachKey(_ body: (Int) -> Void) {
    if isWhole { return body(-1) }
    var rest = keys
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
    more.forEach(body)
  }
}

/// The keys that a derived value has read, with one entry for each substance. While the list exists, its substances
/// record the version of each key's last change.
///
/// `@unchecked Sendable`:
/// - Ownership: the list retains the cells until `deinit`. Its memory is not shared, and can therefore be walked
///   without reference counting.
/// - Invariant: constant.
/// - If violated: a read of freed memory.
final class ReadList: @unchecked Sendable {
  static let none = ReadList([])
  private static let made = Atomic<Int>(0)

  /// Identifies the list: no other list of the process has or had this number.
  let serial = ReadList.made.add(1, ordering: .relaxed).newValue
  let reads: UnsafePointer<KeysRead>
  let count: Int

  init(_ reads: [KeysRead]) {
    let memory = UnsafeMutablePointer<KeysRead>.allocate(capacity: reads.count)
    for (place, read) in reads.enumerated() {
      read.cell.retain()
      read.cell.use { $0.retainNotices() }
      (memory + place).initialize(to: read)
    }
    self.reads = UnsafePointer(memory)
    count = reads.count
  }

  deinit {
    let memory = UnsafeMutablePointer(mutating: reads)
    for place in 0..<count {
      memory[place].cell.use { $0.releaseNotices() }
      memory[place].cell.release()
    }
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  @inline(__always)
  func cell(at place: Int) -> UnretainedReference<Cell> { reads[place].cell }

  /// The union of this list and other lists. It begins with the entries of this list.
  func union(_ others: [ReadList]) -> ReadList {
    if others.allSatisfy({ $0.count == 0 || $0 === self }) { return self }
    if count == 0, let first = others.first, others.allSatisfy({ $0 === first }) { return first }
    return withExtendedLifetime(others) {
      var all = (0..<count).map { reads[$0] }
      var places: [UnsafeMutableRawPointer: Int] = [:]
      for (place, read) in all.enumerated() { places[read.cell.reference.toOpaque()] = place }
      for other in others {
        for place in 0..<other.count {
          let read = other.reads[place]
          if let known = places[read.cell.reference.toOpaque()] {
            all[known].formUnion(read)
          } else {
            places[read.cell.reference.toOpaque()] = all.count
            all.append(read)
          }
        }
      }
      return ReadList(all)
    }
  }
}

// Registers the nodes of derived values with the substances that they have read, so that changes of these reach the
// nodes.
extension ReadList {
  /// Registers a node with the substances of this list, except substances for which `other` has an entry with equal
  /// keys.
  func register(_ node: AnyDerivedNode, except other: ReadList) {
    forEach(except: other) { $0.pointee.dependents.object.add(node, reading: $0) }
  }

  func unregister(_ node: AnyDerivedNode, except other: ReadList) {
    forEach(except: other) { $0.pointee.dependents.object.remove(node, reading: $0) }
  }

  private func forEach(except other: ReadList, _ body: (UnsafePointer<KeysRead>) -> Void) {
    for place in 0..<count {
      let read = reads + place
      let isSame = (0..<other.count).contains { other.reads[$0].isSame(as: read.pointee) }
      if !isSame { body(read) }
    }
  }
}

extension KeysRead {
  fileprivate func isSame(as other: KeysRead) -> Bool {
    cell == other.cell && keys == other.keys && isWhole == other.isWhole && more == other.more
  }
}
