/// The representation that a patch has for the value of a unit, a piece of the state that is copied as a whole.
package enum UnitForm {
  /// A number of up to eight bytes, or a truth value. Its bits determine the value.
  case bits
  case text
  /// A value of a type, in the representation of generic code.
  case value(Any.Type)
  /// A value that only its layout can copy, such as a function.
  case opaque
}

/// A piece of a state that is copied as a whole: the unit of replacement of a patch.
package struct UnitPlace {
  /// From the start of the state.
  package let offset: Int
  package let size: Int
  /// The key it belongs to, or -1.
  package let key: Int
  package let form: UnitForm
  /// Whether a difference in this memory is reported as a change of a key. It is `false` for the memory of hidden
  /// properties.
  package let isReported: Bool
}

extension StateLayout {
  /// The description of a leaf's unit.
  package func unit(_ leaf: Int) -> UnitPlace {
    let leaf = leaves + leaf
    let isOwn = leaf.pointee.unitOffset == leaf.pointee.offset && leaf.pointee.unitSize == leaf.pointee.size
    let form: UnitForm =
      switch leaf.pointee.sort {
      case .bits where isOwn, .double where isOwn: .bits
      case .string where isOwn: .text
      default:
        leaf.pointee.unit._withUnsafeGuaranteedRef {
          $0.isDirect && $0.canBeCopied ? .value($0.type) : .opaque
        }
      }
    let key = leaf.pointee.key
    return UnitPlace(
      offset: leaf.pointee.unitOffset,
      size: leaf.pointee.unitSize,
      key: key,
      form: form,
      isReported: leaf.pointee.sort != .hidden
    )
  }

  /// Calls `body` with the leaf of each unit whose value differs, in ascending order. A unit with different bits and an
  /// equal value is skipped, unless it is hidden memory, or a struct that is copied as a whole.
  package func forEachChangedUnit(_ changes: UnsafePointer<ChangeSet>, _ body: (Int) -> Void) {
    let count = changes.pointee.dirtyCount
    var isPlain = true
    for index in 0..<count {
      let leaf = leaves + changes.pointee.dirtyLeaf(at: index)
      if leaf.pointee.unitSize != leaf.pointee.size { isPlain = false }
    }
    if isPlain {
      for index in 0..<count {
        let leaf = changes.pointee.dirtyLeaf(at: index)
        if isOtherValue(leaf, changes) { body(leaf) }
      }
    } else {
      forEachWholeUnit(changes, body)
    }
  }

  /// Different bits may be equal values.
  @inline(__always)
  private func isOtherValue(_ leaf: Int, _ changes: UnsafePointer<ChangeSet>) -> Bool {
    let key = leaves[leaf].key
    return key < 0 || leaves[leaf].sort == .hidden || changes.pointee.contains(key)
  }

  private func forEachWholeUnit(_ changes: UnsafePointer<ChangeSet>, _ body: (Int) -> Void) {
    let whole = wholeUnits(of: changes) { leaf in
      leaves[leaf].unitSize != leaves[leaf].size || isOtherValue(leaf, changes)
    }
    whole.forEach(body)
  }
}

/// A copy of a unit of memory with a form that only its layout can copy, such as a function.
package final class UnitCopy: @unchecked Sendable {
  // `@unchecked Sendable`, because of the pointer:
  // - Ownership: `init` allocates the memory, and `deinit` frees it.
  // - Invariant: it is only read in between; the value in it belongs to a state, which is `Sendable` where patches are
  //   made.
  // - If violated: a data race.
  private let unit: StateUnit
  private let record: TypeRecord
  private let memory: UnsafeMutableRawPointer

  /// Copies from a state the unit of memory that contains a leaf (a unit of comparison).
  package init(of layout: StateLayout, leaf: Int, in state: UnsafeRawPointer) {
    unit = StateUnit(layout.leaves[leaf])
    record = layout.leaves[leaf].unit.takeUnretainedValue()
    memory = .allocate(byteCount: max(1, unit.size), alignment: max(16, unit.alignment))
    unit.initialize(memory, from: state + unit.offset)
  }

  deinit {
    unit.deinitialize(memory)
    memory.deallocate()
  }

  /// Whether a state has the same value in this unit.
  package func isSame(in state: UnsafeRawPointer) -> Bool {
    record.areEqual(memory, state + unit.offset, depth: 0)
  }

  /// Makes it the value of a state.
  package func assign(to state: UnsafeMutableRawPointer) { unit.assign(state + unit.offset, from: memory) }
}
