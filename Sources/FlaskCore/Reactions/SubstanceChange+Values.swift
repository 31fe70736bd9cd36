internal import FlaskDiff

extension SubstanceChange {
  /// Which of its two values.
  @usableFromInline
  enum Moment { case old, new }

  /// Where a value lies, and what it is.
  @usableFromInline
  struct Place {
    @usableFromInline let address: UnsafeRawPointer
    @usableFromInline let type: Any.Type
  }

  /// Where the value of a key lies, which stays as it is until `endReading()`; `nil` for keys below dictionaries and
  /// optionals. Split from the generic functions so that those cost their caller no lookup of types at run time.
  @usableFromInline
  func beginReading(_ moment: Moment) -> Place? {
    guard case .key(let index) = location, let stored = origin.core.layout.stored(index),
      let states = record.beginReading()
    else { return nil }
    return Place(address: (moment == .old ? states.old : states.new) + stored.offset, type: stored.type)
  }

  @usableFromInline
  func endReading() { record.endReading() }

  /// The value of any key, converted; a fault if it can't be.
  @usableFromInline
  func convertedValue<Value>(_ moment: Moment, at place: SourcePlace) -> Value? {
    guard let states = record.beginReading() else { return nil }
    defer { record.endReading() }
    let state = moment == .old ? states.old : states.new
    let layout = origin.core.layout
    let boxed: Any?
    switch location {
    case .key(let index):
      if let value = layout.load(index, as: Value.self, in: state) { return value }
      boxed = layout.value(of: index, in: state)
    case .nested(_, let index, let rest): boxed = layout.nestedValue(under: index, rest: rest, in: state)
    }
    guard let boxed, !isNil(boxed) else { return nil }
    if let value = boxed as? Value { return value }
    origin.report(
      .wrongValueType,
      "the value of \(key()) in \(origin.name()) is a \(type(of: boxed)), asked for as \(Value.self)", at: place)
    return nil
  }

  private func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}
