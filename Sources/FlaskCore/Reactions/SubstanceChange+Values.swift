@_spi(FlaskInternals) internal import FlaskDiff

extension SubstanceChange {
  /// Which of its two values.
  @usableFromInline
  enum Moment { case old, new }

  /// Where a value lies, and what it is.
  @usableFromInline
  struct Place {
    @usableFromInline let address: UnsafeRawPointer
    @usableFromInline let type: Any.Type
    /// Whether `endReading()` has anything to do.
    @usableFromInline let isPinned: Bool
  }

  /// Where the value of a key lies, which stays as it is until `endReading()`, to be called if it is pinned; `nil` for keys below dictionaries and
  /// optionals. Split from the generic functions so that those cost their caller no lookup of types at run time.
  @usableFromInline
  func beginReading(_ moment: Moment) -> Place? {
    guard nested == nil, let stored = record.withLayout({ $0.stored(index) }) else { return nil }
    let states = record.beginReading()
    let address = (moment == .old ? states.old : states.new) + stored.offset
    return Place(address: address, type: stored.type, isPinned: states.isPinned)
  }

  @usableFromInline
  func endReading() { record.endReading(isPinned: true) }

  /// The value of any key, converted; a fault if it can't be.
  @usableFromInline
  func convertedValue<Value>(_ moment: Moment, at place: SourcePlace) -> Value? {
    let core = record.core
    let states = record.beginReading()
    defer { record.endReading(isPinned: states.isPinned) }
    let state = moment == .old ? states.old : states.new
    let boxed: Any?
    if let nested {
      boxed = core.layout.nestedValue(under: index, rest: nested.rest, in: state)
    } else {
      if let value = core.layout.load(index, as: Value.self, in: state) { return value }
      boxed = core.layout.value(of: index, in: state)
    }
    guard let boxed, !isNil(boxed) else { return nil }
    if let value = boxed as? Value { return value }
    core.substance.report(
      .wrongValueType,
      "the value of \(key()) in \(core.substance.name()) is a \(type(of: boxed)), asked for as \(Value.self)",
      at: place
    )
    return nil
  }

  private func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}
