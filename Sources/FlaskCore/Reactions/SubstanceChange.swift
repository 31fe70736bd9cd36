internal import FlaskDiff

/// The change of one key: its name, its old and its new value.
///
/// Like the reaction it comes from, it may be kept and goes on to describe its own moment.
public struct SubstanceChange: Sendable {
  enum Location: Sendable {
    case key(Int)
    case nested(path: String, under: Int, rest: String)
  }

  let record: ReactionRecord
  let origin: AnySubstance
  let location: Location

  /// The key, nested ones with dots.
  public func key() -> String {
    switch location {
    case .key(let index): origin.core.layout.path(of: index)
    case .nested(let path, _, _): path
    }
  }

  /// The substance that changed.
  public func substance() -> AnySubstance { origin }

  /// The value before the operation as the asked type; `nil` if there was none: the key is new, or an optional was nil.
  /// A type that the value is not is a fault, and `nil`.
  public func oldValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    value(at: SourcePlace(fileID, line)) { old, _ in old }
  }

  /// The value after the operation as the asked type; `nil` if there is none: the key is gone, or an optional is nil.
  /// A type that the value is not is a fault, and `nil`.
  public func newValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    value(at: SourcePlace(fileID, line)) { _, new in new }
  }

  @inline(__always)
  private func value<Value>(
    at place: SourcePlace,
    _ choose: (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer
  ) -> Value? {
    let layout = origin.core.layout
    let value: Value? =
      record.withStates { old, new in
        let state = choose(old, new)
        return switch location {
        case .key(let index): layout.load(index, as: Value.self, in: state)
        case .nested(_, let index, let rest):
          layout.nestedValue(under: index, rest: rest, in: state).flatMap { $0 as? Value }
        }
      } ?? nil
    if let value { return value }
    let boxed: Any? =
      record.withStates { old, new in
        switch location {
        case .key(let index): layout.value(of: index, in: choose(old, new))
        case .nested(_, let index, let rest):
          layout.nestedValue(under: index, rest: rest, in: choose(old, new))
        }
      } ?? nil
    if let boxed, !isNil(boxed) {
      origin.report(
        .wrongValueType,
        "the value of \(key()) in \(origin.name()) is a \(type(of: boxed)), asked for as \(Value.self)",
        at: place
      )
    }
    return nil
  }

  private func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}
