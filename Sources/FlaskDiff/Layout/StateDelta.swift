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
    var size = 0
    var alignment = 16
    for unit in units {
      size = unit.position(after: size) + unit.size
      alignment = max(alignment, unit.alignment)
    }
    byteCount = size
    memory = .allocate(byteCount: max(1, byteCount), alignment: alignment)
    forEachCopy { unit, copy in unit.initialize(copy, from: new + unit.offset) }
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
