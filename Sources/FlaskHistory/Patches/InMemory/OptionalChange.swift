extension Optional: ChangedByContent {
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange? {
    let a = old.assumingMemoryBound(to: Self.self)
    let b = new.assumingMemoryBound(to: Self.self)
    if _isPOD(Wrapped.self) || a.pointee == nil || b.pointee == nil { return ReplacedValue<Self>(old, new) }
    // The contents of two optionals are compared at the addresses of the optionals: there the content is stored in the
    // representation of its own type.
    return ValueChange.between(old, new, as: Wrapped.self, leavingOut: leftOut).map {
      OptionalChange<Wrapped>($0)
    }
  }
}

/// The change of the content of an optional.
final class OptionalChange<Wrapped>: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
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

  override var byteCount: Int { 32 + content.byteCount }

  override func list(under key: String, in values: inout [PatchedValue]) {
    content.list(under: key, in: &values)
  }
}
