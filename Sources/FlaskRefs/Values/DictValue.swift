internal import Foundation

/// One value in a dictionary, in a form that is safe on any thread.
enum DictValue: Sendable {
  case `nil`
  case null
  case bool(Bool)
  case integer(Int64)
  /// Only what `integer` cannot hold.
  case unsigned(UInt64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  case url(URL)
  /// An object or value of any other type.
  case opaque(OpaqueValue)
  case branch(Branch)

  /// The list or dictionary that this value is, if it is one.
  var branch: Branch? {
    if case .branch(let branch) = self { branch } else { nil }
  }
}
