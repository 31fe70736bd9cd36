/// The differences of two values: a copy of the new memory of each unit that differs, and no other memory.
///
/// Retained while a reaction waits. Its size depends on what changed, not on the size of the state. The copies belong
/// to the delta, which releases their references. May be made, applied and released on any thread, as long as the state
/// is not written to in the meantime.
package final class StateDelta: @unchecked Sendable {
  // `@unchecked Sendable`, because of the pointer:
  // - Ownership: `init` allocates the memory, and `deinit` frees it.
  // - Invariant: it is only read in between; the values in it belong to a state, which is `Sendable` where deltas are
  //   used.
  // - If violated: a data race.

  /// The keys that differ.
  package let changes: ChangeSet
  /// The number of bytes of the copies, without the objects to which they refer.
  package let byteCount: Int

  private let layout: StateLayout
  private let units: [StateUnit]
  /// The memory of the copies: the new values of all units that differ, each at a multiple of its alignment.
  private let memory: UnsafeMutableRawPointer

  /// Copies the units of memory that a comparison found to differ.
  ///
  /// - Parameters:
  ///   - layout: The layout of both values.
  ///   - changes: the result of ``StateLayout/compare(old:new:into:)`` for an earlier value and this value.
  ///   - new: The later value.
  package init(layout: StateLayout, changes: UnsafePointer<ChangeSet>, new: UnsafeRawPointer) {
    self.layout = layout
    self.changes = changes.pointee
    units = layout.wholeUnits(of: changes) { _ in true }.map { StateUnit(layout.leaves[$0]) }
    (memory, byteCount) = StateDelta.allocate(units)
    forEachCopy { unit, copy in unit.initialize(copy, from: new + unit.offset) }
  }

  /// The differences that two deltas make together, one after the other. Runs no client code.
  ///
  /// Complexity: O(n log n) in the units of both.
  package init(_ first: StateDelta, then second: StateDelta) {
    layout = first.layout
    var changes = first.changes
    changes.formUnionOfAll(second.changes)
    self.changes = changes
    units = withUnsafePointer(to: changes) { [layout] changes in
      layout.wholeUnits(of: changes) { _ in true }.map { StateUnit(layout.leaves[$0]) }
    }
    (memory, byteCount) = StateDelta.allocate(units)
    let earlier = first.copies
    let later = second.copies
    forEachCopy { unit, copy in
      if let source = StateDelta.address(of: unit, in: later) { return unit.initialize(copy, from: source) }
      // The second delta has no copy of this unit, so the first delta has one. The second may have copies of smaller
      // units that lie within this unit.
      guard let source = StateDelta.address(of: unit, in: earlier) else { return }
      unit.initialize(copy, from: source)
      var place = later.partitioningIndex { $0.unit.offset >= unit.offset }
      while place < later.count, later[place].unit.offset < unit.offset + unit.size {
        let part = later[place]
        part.unit.assign(copy + (part.unit.offset - unit.offset), from: part.address)
        place += 1
      }
    }
  }

  private static func allocate(_ units: [StateUnit]) -> (UnsafeMutableRawPointer, size: Int) {
    var size = 0
    var alignment = 16
    for unit in units {
      size = unit.position(after: size) + unit.size
      alignment = max(alignment, unit.alignment)
    }
    return (.allocate(byteCount: max(1, size), alignment: alignment), size)
  }

  private typealias Copy = (unit: StateUnit, address: UnsafeMutableRawPointer)

  /// The units in the order of their offsets, and where their copies are.
  private var copies: [Copy] {
    var all: [Copy] = []
    forEachCopy { all.append(($0, $1)) }
    return all
  }

  /// The address of a unit in the copy of a unit that contains it; `nil` if there is none.
  private static func address(of unit: StateUnit, in copies: [Copy]) -> UnsafeRawPointer? {
    let place = copies.partitioningIndex { $0.unit.offset > unit.offset } - 1
    if place < 0 { return nil }
    let found = copies[place]
    if found.unit.offset + found.unit.size < unit.offset + unit.size { return nil }
    return UnsafeRawPointer(found.address + (unit.offset - found.unit.offset))
  }

  deinit {
    forEachCopy { unit, copy in unit.deinitialize(copy) }
    memory.deallocate()
  }

  /// Assigns the copied new values to a state that has the earlier values of the comparison.
  package func apply(to state: UnsafeMutableRawPointer) {
    forEachCopy { unit, copy in unit.assign(state + unit.offset, from: copy) }
  }

  private func forEachCopy(_ body: (StateUnit, _ copy: UnsafeMutableRawPointer) -> Void) {
    var position = 0
    for unit in units {
      position = unit.position(after: position)
      body(unit, memory + position)
      position += unit.size
    }
  }
}

extension Array {
  /// The index of the first element for which `isAfter` is true; the elements for which it is false come first.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A piece of a state's memory that is copied as a whole: a property, or a struct with all of its properties.
struct StateUnit {
  let offset: Int
  let size: Int
  /// The description of the type in this memory. The layout retains it, and the owner of the unit retains the layout,
  /// so it is not counted here.
  private let record: Unmanaged<TypeRecord>
  private let isTrivial: Bool

  init(_ leaf: Leaf) {
    offset = leaf.unitOffset
    size = leaf.unitSize
    record = leaf.unit
    isTrivial = leaf.isTrivialUnit
  }

  var alignment: Int { record._withUnsafeGuaranteedRef { $0.alignment } }

  /// Returns the first offset at or after `end` that the unit's alignment allows.
  func position(after end: Int) -> Int { (end + alignment - 1) & ~(alignment - 1) }

  func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
    if isTrivial { return target.copyMemory(from: source, byteCount: size) }
    record._withUnsafeGuaranteedRef { $0.initialize(target, from: source) }
  }

  func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
    if isTrivial { return target.copyMemory(from: source, byteCount: size) }
    record._withUnsafeGuaranteedRef { $0.assign(from: source, to: target) }
  }

  func deinitialize(_ pointer: UnsafeMutableRawPointer) {
    if !isTrivial { record._withUnsafeGuaranteedRef { $0.deinitialize(pointer) } }
  }
}

extension StateLayout {
  /// Returns one leaf for each unit that must be copied for a set of changes, in ascending order. If two units overlap,
  /// the larger unit contains the other unit, and only the larger unit is in the list.
  func wholeUnits(of changes: UnsafePointer<ChangeSet>, where isWanted: (Int) -> Bool) -> [Int] {
    let dirty = (0..<changes.pointee.dirtyCount).map { changes.pointee.dirtyLeaf(at: $0) }
    var end = 0
    return dirty.ordered { -leaves[$0].unitSize }.ordered { leaves[$0].unitOffset }.filter { leaf in
      if leaves[leaf].unitOffset < end || !isWanted(leaf) { return false }
      end = leaves[leaf].unitOffset + leaves[leaf].unitSize
      return true
    }
  }
}
