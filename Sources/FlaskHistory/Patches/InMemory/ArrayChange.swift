extension Array: ChangedByContent {
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange? {
    if let type = Element.self as? any Identifiable.Type,
      let change = IdentifiedArrays.change(type, old, new, leftOut)
    {
      return change
    }
    return ArrayChange<Element>(
      from: old.assumingMemoryBound(to: Self.self).pointee,
      to: new.assumingMemoryBound(to: Self.self).pointee,
      leavingOut: leftOut
    )
  }
}

/// The differences of two arrays whose elements have no identities: replaced elements, and ranges that have been
/// replaced by ranges of another length.
final class ArrayChange<Element>: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.

  /// One edit. Edits are applied in ascending order, so each edit is applied to the result of the edits before it.
  private struct Edit {
    enum Kind {
      /// An element has changed.
      case element(ValueChange)
      /// A range of elements is replaced by another range.
      case stretch(old: [Element], new: [Element])
    }
    /// The offset in the new array.
    let offset: Int
    let kind: Kind

    /// Whether this edit, which is the applied part of `edit`, is the whole of `edit`.
    func isSame(as edit: Edit) -> Bool {
      if case (.element(let made), .element(let wanted)) = (kind, edit.kind), made !== wanted { return false }
      return offset == edit.offset
    }

    /// The number of elements by which the edit makes the array longer; negative if it makes the array shorter.
    var growth: Int { if case .stretch(let old, let new) = kind { new.count - old.count } else { 0 } }
  }

  private let edits: [Edit]

  private init(_ edits: [Edit]) { self.edits = edits }

  init?(from old: [Element], to new: [Element], leavingOut leftOut: LeftOut?) {
    edits = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in ArrayChange.edits(from: old, to: new, leftOut) }
    }
    super.init()
    if edits.isEmpty { return nil }
  }

  private static func edits(
    from old: UnsafeBufferPointer<Element>,
    to new: UnsafeBufferPointer<Element>,
    _ leftOut: LeftOut?
  ) -> [Edit] {
    if old.baseAddress == new.baseAddress, old.count == new.count { return [] }
    let comparison = ElementComparison(of: Element.self)
    func areEqual(_ i: Int, _ j: Int) -> Bool {
      guard let a = old.baseAddress, let b = new.baseAddress else { return false }
      return comparison.areEqual(a + i, b + j)
    }
    var stretches: [Stretch] = []
    if old.count == new.count {
      let others = old.indices.filter { !areEqual($0, $0) }
      // One inserted and one removed element shift all elements in between, so that many pairs differ. If many do, the
      // fewest edits are searched for.
      if others.count > Stretch.mostEdits { stretches = Stretch.all(old.count, new.count, areSame: areEqual) }
      if stretches.reduce(0, { $0 + $1.new.count }) >= others.count || stretches.isEmpty {
        stretches = others.map { Stretch(old: $0..<$0 + 1, new: $0..<$0 + 1) }
      }
    } else {
      stretches = Stretch.all(old.count, new.count, areSame: areEqual)
    }
    return stretches.flatMap { edits(in: $0, old, new, leftOut) }
  }

  /// The edits of one differing range. Ranges of equal lengths are compared pair by pair, so that an edit contains only
  /// the parts of an element that differ.
  private static func edits(
    in stretch: Stretch,
    _ old: UnsafeBufferPointer<Element>,
    _ new: UnsafeBufferPointer<Element>,
    _ leftOut: LeftOut?
  ) -> [Edit] {
    guard stretch.old.count == stretch.new.count, let a = old.baseAddress, let b = new.baseAddress else {
      let kind = Edit.Kind.stretch(old: Array(old[stretch.old]), new: Array(new[stretch.new]))
      return [Edit(offset: stretch.new.lowerBound, kind: kind)]
    }
    return zip(stretch.old, stretch.new).compactMap { i, j in
      ValueChange.between(a + i, b + j, as: Element.self, leavingOut: leftOut).map {
        Edit(offset: j, kind: .element($0))
      }
    }
  }

  // MARK: Applying

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let array = target.assumingMemoryBound(to: [Element].self)
    var applied: [Edit] = []
    var isWhole = true
    // Edits that do not fit the array may be skipped. This is the number of elements by which the skipped edits would
    // have lengthened the array.
    var shift = 0
    for edit in edits {
      do throws(PatchMismatch) {
        let made = try ArrayChange.apply(
          edit,
          at: edit.offset - shift,
          to: &array.pointee,
          lenient: isLenient
        )
        if let made { applied.append(made) } else { shift += edit.growth }
        isWhole = isWhole && made?.isSame(as: edit) ?? false
      } catch {
        // A change that was just applied fits.
        _ = try? ArrayChange(applied).inverted().apply(to: target, lenient: false)
        throw error
      }
    }
    return isWhole ? self : applied.isEmpty ? nil : ArrayChange(applied)
  }

  private static func apply(_ edit: Edit, at offset: Int, to array: inout [Element], lenient isLenient: Bool)
    throws(PatchMismatch) -> Edit?
  {
    func misfit(_ reason: PatchMismatch.Reason, at offset: Int) throws(PatchMismatch) -> Edit? {
      if isLenient { return nil }
      throw PatchMismatch(reason, at: "\(offset)")
    }
    switch edit.kind {
    case .element(let change):
      guard array.indices.contains(offset) else { return try misfit(.missing, at: offset) }
      do throws(PatchMismatch) {
        let made = try array.withElement(offset) { address throws(PatchMismatch) in
          try change.apply(to: address, lenient: isLenient)
        }
        return made.map { Edit(offset: offset, kind: .element($0)) }
      } catch {
        throw error.below("\(offset)")
      }
    case .stretch(let old, let new):
      guard offset >= 0, offset + old.count <= array.count else {
        return try misfit(.missing, at: max(offset, array.count))
      }
      for (index, element) in old.enumerated() where !TypeRecord.areEqual(element, array[offset + index]) {
        return try misfit(.differs, at: offset + index)
      }
      array.replaceSubrange(offset..<offset + old.count, with: new)
      return Edit(offset: offset, kind: edit.kind)
    }
  }

  /// The inverted edits in the same order. Their offsets are those in the old array, which is the new array of the
  /// inverted change.
  override func inverted() -> ValueChange {
    var growth = 0
    let inverted = edits.map { edit in
      defer { growth += edit.growth }
      // The offset of the edit in the old array, before any edit was applied.
      let offset = edit.offset - growth
      return switch edit.kind {
      case .element(let change): Edit(offset: offset, kind: .element(change.inverted()))
      case .stretch(let old, let new): Edit(offset: offset, kind: .stretch(old: new, new: old))
      }
    }
    return ArrayChange(inverted)
  }

  override func followed(by next: ValueChange) -> ValueChange? {
    // Joins two insertions if the second one continues the first, as typing does.
    guard let next = next as? ArrayChange<Element>, next.edits.count == 1, let last = edits.last,
      case (.stretch(let old, let new), .stretch(let none, let more)) = (last.kind, next.edits[0].kind),
      old.isEmpty, none.isEmpty, next.edits[0].offset == last.offset + new.count
    else { return nil }
    return ArrayChange(
      edits.dropLast() + [Edit(offset: last.offset, kind: .stretch(old: old, new: new + more))]
    )
  }

  override var byteCount: Int {
    edits.reduce(48) { count, edit in
      switch edit.kind {
      case .element(let change): count + 32 + change.byteCount
      case .stretch(let old, let new): count + 32 + old.contentByteCount + new.contentByteCount
      }
    }
  }

  override func list(under key: String, in values: inout [PatchedValue]) {
    for edit in edits {
      switch edit.kind {
      case .element(let change): change.list(under: PatchedValue.key(key, "\(edit.offset)"), in: &values)
      case .stretch(let old, let new):
        for index in 0..<max(old.count, new.count) {
          values.append(
            PatchedValue(
              key: PatchedValue.key(key, "\(edit.offset + index)"),
              old: index < old.count ? old[index] : nil,
              new: index < new.count ? new[index] : nil
            )
          )
        }
      }
    }
  }
}

extension Array {
  /// Passes to `body` the address of the element at an index, which must exist.
  mutating func withElement<Result>(
    _ index: Int,
    _ body: (UnsafeMutableRawPointer) throws(PatchMismatch) -> Result?
  ) throws(PatchMismatch) -> Result? {
    // The pointer refers to the element in the representation that generic code expects.
    try withUnsafeMutablePointer(to: &self[index]) { element throws(PatchMismatch) in
      try body(UnsafeMutableRawPointer(element))
    }
  }
}
