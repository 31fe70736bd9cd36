internal import Foundation

/// A value that JSON cannot represent, written as an object with one key: `{"$date": "0.0"}`.
///
/// A key of client code that begins with `$` is written with one more `$`, so that no key is mistaken for a mark.
struct JSONTextMark {
  let name: String
  let content: String

  /// Creates the mark for a value that is no list or dictionary and that JSON cannot represent. Objects have no mark of
  /// their own, and are written as nil.
  init(of leaf: DictValue) {
    switch leaf {
    case .double(let value): (name, content) = ("$number", value.description)
    case .decimal(let value): (name, content) = ("$decimal", value.description)
    case .date(let value): (name, content) = ("$date", value.timeIntervalSinceReferenceDate.description)
    case .data(let value): (name, content) = ("$data", value.base64EncodedString())
    case .url(let value): (name, content) = ("$url", value.absoluteString)
    default: (name, content) = ("$nil", "")
    }
  }

  /// Returns the value that a mark stands for.
  ///
  /// - Returns: `nil` if the mark does not exist, or if its content has another kind.
  static func value(name: String, content: String) -> DictValue? {
    switch name {
    case "$nil": .nil
    case "$number": Double(content).map { .double($0) }
    case "$decimal": decimal(content).map { .decimal($0) }
    case "$date": Double(content).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case "$data": Data(base64Encoded: content).map { .data($0) }
    case "$url": URL(string: content).map { .url($0) }
    default: nil
    }
  }

  /// "NaN" is handled separately, since Foundation cannot read its own description of a decimal that is no number.
  private static func decimal(_ content: String) -> Decimal? {
    content == Decimal.nan.description ? .nan : Decimal(string: content)
  }

  static func escaped(key: String) -> String { key.hasPrefix("$") ? "$" + key : key }

  /// Returns the key of client code that is written as `key`; `nil` if `key` is the name of a mark.
  static func unescaped(key: String) -> String? {
    guard key.hasPrefix("$") else { return key }
    return key.hasPrefix("$$") ? String(key.dropFirst()) : nil
  }
}
