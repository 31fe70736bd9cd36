/// The changes in the memory of a value with stored properties. Of each unit of the layout, such as a property, it
/// contains only the parts that differ.
struct MemoryChange: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Invariant: constant once published. The values belong to a state, which is `Sendable`.
  // - If violated: a data race.

  /// The change of one unit of the layout. The index of the unit among the leaves of the layout identifies it.
  enum Unit {
    /// A number of up to eight bytes, or a truth value.
    case bits(Int32, old: UInt64, new: UInt64)
    case value(Int32, ValueChange)
    case opaque(Int32, old: UnitCopy, new: UnitCopy)

    /// Whether old and new content are equal, since a later change reverted an earlier one.
    var isNothing: Bool {
      switch self {
      case .bits(_, let old, let new): old == new
      case .value(_, let change): change.isNothing
      case .opaque: false
      }
    }

    var leaf: Int {
      switch self {
      case .bits(let leaf, _, _), .value(let leaf, _), .opaque(let leaf, _, _): Int(leaf)
      }
    }
  }

  /// The layout of the value. The reference is safe, since layouts are never deallocated.
  unowned(unsafe) let layout: StateLayout
  private(set) var units: [Unit]

  init(_ layout: StateLayout, _ units: [Unit] = []) {
    self.layout = layout
    self.units = units
  }

  /// A change from the result of a comparison.
  ///
  /// - Parameters:
  ///   - changes: the layout's comparison of the two values.
  ///   - leftOut: the excluded keys.
  init(
    _ layout: StateLayout,
    _ changes: UnsafePointer<ChangeSet>,
    old: UnsafeRawPointer,
    new: UnsafeRawPointer,
    leavingOut leftOut: LeftOut? = nil
  ) {
    self.init(layout)
    let places = leftOut?.places(in: layout.stateType)
    layout.forEachChangedUnit(changes) { leaf in
      let unit = layout.unit(leaf)
      if let places, unit.lies(in: places) { return }
      switch unit.form {
      case .bits:
        let old = MemoryChange.bits(old + unit.offset, unit.size)
        units.append(.bits(Int32(leaf), old: old, new: MemoryChange.bits(new + unit.offset, unit.size)))
      case .text:
        if let change = String.change(old + unit.offset, new + unit.offset, nil) {
          units.append(.value(Int32(leaf), change))
        }
      // The unit is the whole value, since one of its properties, such as a weak reference, can only be copied with it.
      // It is not compared by content.
      case .value(let type) where type == layout.stateType && layout.hasProperties:
        units.append(MemoryChange.opaque(leaf, of: layout, old: old, new: new))
      case .value(let type):
        let old = old + unit.offset
        let new = new + unit.offset
        if let change = ValueChange.between(old, new, asAny: type, leavingOut: leftOut) {
          units.append(.value(Int32(leaf), change))
        }
      case .opaque:
        units.append(MemoryChange.opaque(leaf, of: layout, old: old, new: new))
      }
    }
  }

  /// A change from the differences of two values.
  init(
    _ layout: StateLayout,
    old: UnsafeRawPointer,
    new: UnsafeRawPointer,
    leavingOut leftOut: LeftOut? = nil
  ) {
    var changes = ChangeSet()
    layout.compare(old: old, new: new, into: &changes)
    self = withUnsafePointer(to: changes) {
      MemoryChange(layout, $0, old: old, new: new, leavingOut: leftOut)
    }
  }

  private static func opaque(
    _ leaf: Int,
    of layout: StateLayout,
    old: UnsafeRawPointer,
    new: UnsafeRawPointer
  ) -> Unit {
    let old = UnitCopy(of: layout, leaf: leaf, in: old)
    let new = UnitCopy(of: layout, leaf: leaf, in: new)
    return .opaque(Int32(leaf), old: old, new: new)
  }

  var isEmpty: Bool { units.isEmpty }

  @inline(__always)
  private static func bits(_ address: UnsafeRawPointer, _ size: Int) -> UInt64 {
    if size == 8 { return address.loadUnaligned(as: UInt64.self) }
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
    }
    return bits
  }

  private static func write(_ bits: UInt64, to address: UnsafeMutableRawPointer, _ size: Int) {
    withUnsafeBytes(of: bits) { bytes in
      if let start = bytes.baseAddress { address.copyMemory(from: start, byteCount: size) }
    }
  }

  // MARK: Applying

  /// Applies the change to a value of its type, in place.
  ///
  /// - Parameters:
  ///   - state: the address of the value.
  ///   - isLenient: whether parts that do not fit are skipped.
  ///   - isBackwards: whether the change is reverted.
  /// - Returns: the part that was applied or reverted.
  /// - Throws: the key at which the change does not fit, unless `isLenient`. The value is then as it was before.
  func apply(
    to state: UnsafeMutableRawPointer,
    lenient isLenient: Bool,
    backwards isBackwards: Bool = false
  ) throws(PatchMismatch) -> Made<MemoryChange> {
    // The applied units; `nil` while all units were applied whole, to save an array.
    var part: [Unit]?
    for (index, unit) in units.enumerated() {
      do throws(PatchMismatch) {
        let made = try apply(unit, to: state, lenient: isLenient, backwards: isBackwards)
        if case .whole = made {
          part?.append(unit)
        } else {
          if part == nil { part = Array(units[..<index]) }
          if case .part(let unit) = made { part?.append(unit) }
        }
      } catch {
        // A change that was just applied fits.
        let made = MemoryChange(layout, part ?? Array(units[..<index]))
        _ = try? made.apply(to: state, lenient: false, backwards: !isBackwards)
        let key = layout.unit(unit.leaf).key
        throw key < 0 ? error : error.below(layout.path(of: key))
      }
    }
    guard let part else { return isEmpty ? .nothing : .whole }
    return part.isEmpty ? .nothing : .part(MemoryChange(layout, part))
  }

  private func apply(
    _ unit: Unit,
    to state: UnsafeMutableRawPointer,
    lenient isLenient: Bool,
    backwards isBackwards: Bool
  ) throws(PatchMismatch) -> Made<Unit> {
    let place = layout.unit(unit.leaf)
    let target = state + place.offset
    switch unit {
    case .bits(_, let old, let new):
      let (before, after) = isBackwards ? (new, old) : (old, new)
      guard !place.isReported || MemoryChange.bits(target, place.size) == before else {
        return try MemoryChange.misfit(lenient: isLenient)
      }
      MemoryChange.write(after, to: target, place.size)
      return .whole
    case .value(let leaf, let change):
      let wanted = isBackwards ? change.inverted() : change
      // A hidden value, which no key reports, may differ from the recorded value.
      guard let made = try wanted.apply(to: target, lenient: isLenient || !place.isReported) else {
        return .nothing
      }
      return made === wanted ? .whole : .part(.value(leaf, isBackwards ? made.inverted() : made))
    case .opaque(_, let old, let new):
      let (before, after) = isBackwards ? (new, old) : (old, new)
      guard !place.isReported || before.isSame(in: state) else {
        return try MemoryChange.misfit(lenient: isLenient)
      }
      after.assign(to: state)
      return .whole
    }
  }

  private static func misfit(lenient isLenient: Bool) throws(PatchMismatch) -> Made<Unit> {
    if isLenient { return .nothing }
    throw PatchMismatch(.differs)
  }

  // MARK: Other changes

  func inverted() -> MemoryChange {
    MemoryChange(
      layout,
      units.reversed().map { unit in
        switch unit {
        case .bits(let leaf, let old, let new): .bits(leaf, old: new, new: old)
        case .value(let leaf, let change): .value(leaf, change.inverted())
        case .opaque(let leaf, let old, let new): .opaque(leaf, old: new, new: old)
        }
      }
    )
  }

  /// Appends a later change. Changes of different units are independent of each other.
  ///
  /// - Parameters:
  ///   - state: the value after both changes.
  ///   - leftOut: the excluded keys.
  mutating func append(_ next: MemoryChange, to state: UnsafeRawPointer, leavingOut leftOut: LeftOut?) {
    for unit in next.units {
      if let index = units.firstIndex(where: { $0.leaf == unit.leaf }) {
        let both = together(units[index], unit, state, leftOut)
        if let both, !both.isNothing { units[index] = both } else { units.remove(at: index) }
      } else {
        units.append(unit)
      }
    }
  }

  private func together(_ first: Unit, _ second: Unit, _ state: UnsafeRawPointer, _ leftOut: LeftOut?)
    -> Unit?
  {
    switch (first, second) {
    case (.bits(let leaf, let old, _), .bits(_, _, let new)): return .bits(leaf, old: old, new: new)
    case (.opaque(let leaf, let old, _), .opaque(_, _, let new)): return .opaque(leaf, old: old, new: new)
    case (.value(let leaf, let change), .value(_, let next)):
      if let both = change.followed(by: next) { return .value(leaf, both) }
      let unit = layout.unit(Int(leaf))
      func open<Value>(_ type: Value.Type) -> Unit? {
        let new = (state + unit.offset).assumingMemoryBound(to: type).pointee
        let old = change.inverted().made(of: next.inverted().made(of: new))
        return ValueChange.between(old, new, leavingOut: leftOut).map { .value(leaf, $0) }
      }
      if case .value(let type) = unit.form { return _openExistential(type, do: open) }
      return open(String.self)
    // Not reached: both changes of a leaf have the same case.
    default: return second
    }
  }

  /// The memory that the change takes, in bytes.
  var byteCount: Int {
    var count = 32 + units.count * MemoryLayout<Unit>.stride
    for unit in units {
      switch unit {
      case .bits: break
      case .value(_, let change): count += change.byteCount
      case .opaque: count += 2 * (64 + layout.unit(unit.leaf).size)
      }
    }
    return count
  }

  /// Adds the old and new values that the change contains to a list, under the path `parent`.
  func list(under parent: String, in values: inout [PatchedValue]) {
    for unit in units {
      let place = layout.unit(unit.leaf)
      let key = PatchedValue.key(parent, place.key < 0 ? "" : layout.path(of: place.key))
      switch unit {
      case .bits(_, let old, let new):
        values.append(PatchedValue(key: key, old: value(old, of: place), new: value(new, of: place)))
      case .value(_, let change): change.list(under: key, in: &values)
      case .opaque: values.append(PatchedValue(key: key, old: "(\(key))", new: "(\(key))"))
      }
    }
  }

  private func value(_ bits: UInt64, of place: UnitPlace) -> Any? {
    if place.key < 0 { return bits }
    // The layout expects a pointer to the whole state. It reads only the unit, which is all that is in this memory.
    return withUnsafeBytes(of: bits) { bytes in
      bytes.baseAddress.flatMap { layout.value(of: place.key, in: $0 - place.offset) }
    }
  }
}

/// The result of applying a change.
enum Made<Change> {
  case whole
  /// A part of the change was applied: this part. The rest did not fit the present value.
  case part(Change)
  case nothing
}

extension UnitPlace {
  fileprivate func lies(in places: [Range<Int>]) -> Bool {
    places.contains { $0.lowerBound <= offset && offset + size <= $0.upperBound }
  }
}
