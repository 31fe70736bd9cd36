internal import Foundation

/// One value in a dictionary, in a form that any thread may use.
///
/// Rare cases with large contents are indirect, since smaller values make copies of a dictionary cheaper.
enum DictValue: Sendable {
  case `nil`
  case null
  case bool(Bool)
  case integer(Int64)
  /// Only what `integer` cannot hold.
  case unsigned(UInt64)
  case double(Double)
  indirect case decimal(Decimal)
  case string(String)
  case date(Date)
  indirect case data(Data)
  indirect case url(URL)
  /// An object or value of any other type.
  indirect case opaque(OpaqueValue)
  case branch(Branch)

  /// The branch, if this value is a list or a dictionary.
  var branch: Branch? {
    if case .branch(let branch) = self { branch } else { nil }
  }
}

/// A value of a type whose content dictionaries do not read, such as a view controller.
///
/// Objects are retained, and compared by identity unless they are `Equatable`.
struct OpaqueValue: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Invariant: the value is constant, and is only copied and compared here. As with `FlaskNSRef`, client code that
  //   has put in an object is responsible for using this object on the right thread.
  // - If violated: a data race in client code.

  let value: Any

  static func areEqual(_ a: OpaqueValue, _ b: OpaqueValue) -> Bool { TypeRecord.areEqual(a.value, b.value) }
}
