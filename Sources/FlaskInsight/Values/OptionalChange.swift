extension Optional: ChangedByContent {
  static func change(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> ValueChange? {
    let (a, b) = (old.assumingMemoryBound(to: Self.self), new.assumingMemoryBound(to: Self.self))
    if _isPOD(Wrapped.self) || a.pointee == nil || b.pointee == nil { return ReplacedValue<Self>(old, new) }
    // What an optional holds lies at its beginning, as it is.
    return ValueChange.between(old, new, as: Wrapped.self).map { OptionalChange<Wrapped>($0) }
  }
}

/// The change of what an optional holds.
final class OptionalChange<Wrapped>: ValueChange, @unchecked Sendable {
  // `@unchecked` restates the superclass.
  private let content: ValueChange

  init(_ content: ValueChange) { self.content = content }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    guard target.assumingMemoryBound(to: Wrapped?.self).pointee != nil else {
      if isLenient { return nil }
      throw PatchMismatch(.missing)
    }
    return try content.apply(to: target, lenient: isLenient).map { OptionalChange($0) }
  }

  override func inverted() -> ValueChange { OptionalChange(content.inverted()) }

  override func followed(by next: ValueChange) -> ValueChange {
    guard let next = next as? OptionalChange<Wrapped> else { return super.followed(by: next) }
    return OptionalChange(content.followed(by: next.content))
  }

  override var isNothing: Bool { content.isNothing }

  override var byteCount: Int { 32 + content.byteCount }

  override func list(under key: String, in values: inout [PatchedValue]) {
    content.list(under: key, in: &values)
  }
}

extension Set: ChangedByContent {
  static func change(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> ValueChange? {
    let (a, b) = (old.assumingMemoryBound(to: Self.self), new.assumingMemoryBound(to: Self.self))
    let change = SetChange(
      removed: a.pointee.filter { !b.pointee.contains($0) },
      added: b.pointee.filter { !a.pointee.contains($0) }
    )
    return change.isEmpty ? ReplacedValue<Self>(old, new) : change
  }
}

/// What differs between two sets.
final class SetChange<Element: Hashable>: ValueChange, @unchecked Sendable {
  // `@unchecked` restates the superclass.
  private let removed: Set<Element>
  private let added: Set<Element>

  init(removed: Set<Element>, added: Set<Element>) {
    self.removed = removed
    self.added = added
  }

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let set = target.assumingMemoryBound(to: Set<Element>.self)
    let leaving = removed.filter { set.pointee.contains($0) }
    let coming = added.filter { !set.pointee.contains($0) }
    if !isLenient {
      if leaving.count < removed.count { throw PatchMismatch(.missing) }
      if coming.count < added.count { throw PatchMismatch(.present) }
    }
    set.pointee.subtract(leaving)
    set.pointee.formUnion(coming)
    let applied = SetChange(removed: leaving, added: coming)
    return applied.isEmpty ? nil : applied
  }

  override func inverted() -> ValueChange { SetChange(removed: added, added: removed) }

  override var byteCount: Int { 48 + removed.contentByteCount + added.contentByteCount }

  override func list(under key: String, in values: inout [PatchedValue]) {
    for element in removed { values.append(PatchedValue(key: key, old: element, new: nil)) }
    for element in added { values.append(PatchedValue(key: key, old: nil, new: element)) }
  }
}
