internal import FlaskCore

/// The empty value of a type: the value that is read where a derived value reads itself before it has a first value.
enum EmptyValue {
  /// `nil`, an empty collection, `false`, 0, or the initial state of a `FlaskState`; `nil` if the type is none of
  /// these.
  static func of<Value>(_ type: Value.Type) -> Value? { find(type).flatMap { $0 as? Value } }

  private static func find(_ type: Any.Type) -> Any? {
    if let type = type as? any ExpressibleByNilLiteral.Type { return none(type) }
    if let type = type as? any FlaskState.Type { return type.init() }
    if let type = type as? any RangeReplaceableCollection.Type { return type.init() }
    if let type = type as? any SetAlgebra.Type { return type.init() }
    if let type = type as? any ExpressibleByDictionaryLiteral.Type { return empty(type) }
    if let type = type as? any ExpressibleByArrayLiteral.Type { return empty(type) }
    if let type = type as? any ExpressibleByBooleanLiteral.Type { return no(type) }
    if let type = type as? any ExpressibleByIntegerLiteral.Type { return zero(type) }
    return nil
  }

  private static func none<T: ExpressibleByNilLiteral>(_ type: T.Type) -> T { nil }
  private static func empty<T: ExpressibleByDictionaryLiteral>(_ type: T.Type) -> T { [:] }
  private static func empty<T: ExpressibleByArrayLiteral>(_ type: T.Type) -> T { [] }
  private static func no<T: ExpressibleByBooleanLiteral>(_ type: T.Type) -> T { false as T }
  private static func zero<T: ExpressibleByIntegerLiteral>(_ type: T.Type) -> T { 0 as T }
}
