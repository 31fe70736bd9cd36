/// The change of one value. It holds only the parts of the old and the new value that differ.
///
/// `@unchecked Sendable`:
/// - Invariant: constant, also in the subclasses; the values in it belong to a state, which is `Sendable`.
/// - If violated: a data race.
class ValueChange: @unchecked Sendable {
  /// Applies the change to a value of its type, in place.
  ///
  /// - Parameters:
  ///   - target: the address of the value.
  ///   - isLenient: whether parts that do not fit are skipped.
  /// - Returns: the applied part; `nil` if nothing was applied.
  /// - Throws: the path at which the change does not fit, unless `isLenient`. The value is then as it was before.
  func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  { nil }

  /// The change that reverts this change.
  func inverted() -> ValueChange { self }

  /// This change combined with the change after it; `nil` if the combination cannot be determined from the two.
  func followed(by next: ValueChange) -> ValueChange? { nil }

  /// Whether old and new content are equal, since a later change reverted an earlier one.
  var isNothing: Bool { false }

  /// The memory that the change takes, as far as it is known: objects are not inspected.
  var byteCount: Int { 0 }

  /// Adds the old and new values that the change contains to a list, under the path `key`.
  func list(under key: String, in values: inout [PatchedValue]) {}
}

/// A type whose changes consist of changes of its contents, such as a collection.
protocol ChangedByContent {
  /// The change from one value to another; `nil` if they are equal, apart from excluded keys.
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange?
  /// Applies the difference between two values to this value: see `Rebase`.
  mutating func rebase(from old: Self, to new: Self)
}

extension ValueChange {
  /// How deeply changes are nested at most: an array of structs is two levels. A value below them is replaced as a
  /// whole. So what recurses over a change needs little stack, whatever the thread. It is the depth to which values are
  /// compared by their contents, too.
  static let deepest = 64
  private static let nesting = ThreadCounter()

  /// The change from a value to an unequal value of a type; `nil` if only excluded keys differ.
  static func between<Value>(
    _ old: UnsafeRawPointer,
    _ new: UnsafeRawPointer,
    as type: Value.Type,
    leavingOut leftOut: LeftOut? = nil
  ) -> ValueChange? {
    nesting.deeper { depth in
      if depth > deepest { return ReplacedValue<Value>(old, new) }
      if let type = type as? any ChangedByContent.Type { return type.change(old, new, leftOut) }
      let layout = StateLayout.of(type)
      if layout.hasProperties { return StructChange(layout, old, new, leavingOut: leftOut) }
      return ReplacedValue<Value>(old, new)
    }
  }

  /// The change between two values.
  static func between<Value>(_ old: Value, _ new: Value, leavingOut leftOut: LeftOut? = nil) -> ValueChange? {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { between(old, $0, as: Value.self, leavingOut: leftOut) }
    }
  }

  /// The result of applying the change to a value that it fits.
  func made<Value>(of value: Value) -> Value {
    var value = value
    withUnsafeMutablePointer(to: &value) { _ = try? apply(to: $0, lenient: true) }
    return value
  }

  /// The change between two values of a type that is known at run time only.
  static func between(
    _ old: UnsafeRawPointer,
    _ new: UnsafeRawPointer,
    asAny type: Any.Type,
    leavingOut leftOut: LeftOut? = nil
  ) -> ValueChange? {
    func open<Value>(_ type: Value.Type) -> ValueChange? {
      between(old, new, as: type, leavingOut: leftOut)
    }
    return _openExistential(type, do: open)
  }
}

extension StateLayout {
  /// Whether values of the type are compared property by property.
  var hasProperties: Bool { keyCount != 1 || !path(of: 0).isEmpty }
}

/// A value that replaces another value as a whole.
final class ReplacedValue<Value>: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
  let old: Value
  let new: Value

  init(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
    self.old = old.assumingMemoryBound(to: Value.self).pointee
    self.new = new.assumingMemoryBound(to: Value.self).pointee
  }

  private init(old: Value, new: Value) {
    self.old = old
    self.new = new
  }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let target = target.assumingMemoryBound(to: Value.self)
    if !TypeRecord.areEqual(target.pointee, old) {
      if isLenient { return nil }
      throw PatchMismatch(.differs)
    }
    target.pointee = new
    return self
  }

  override func inverted() -> ValueChange { ReplacedValue(old: new, new: old) }

  override func followed(by next: ValueChange) -> ValueChange? {
    (next as? ReplacedValue<Value>).map { ReplacedValue(old: old, new: $0.new) }
  }

  override var isNothing: Bool { TypeRecord.areEqual(old, new) }

  override var byteCount: Int { 16 + ByteCount.of(old) + ByteCount.of(new) }

  override func list(under key: String, in values: inout [PatchedValue]) {
    values.append(PatchedValue(key: key, old: old, new: new))
  }
}
