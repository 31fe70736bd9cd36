internal import Foundation

extension DictValue {
  /// The value in Swift's types: dictionaries as `FlaskDictRef`, lists as `[Any]`.
  ///
  /// Lists that are nested directly in lists are converted down to the depth `deepestLists`. A deeper list becomes a
  /// value that can only be compared, printed and stored again. An array would not be safe, since Swift releases arrays
  /// of arrays recursively at any depth.
  var exported: Any { exported(depth: 0) }

  /// The greatest nesting depth of exported arrays. It is below the depth to which `StateDiff` compares arrays, so a
  /// comparison always reaches the leaves.
  private static var deepestLists: Int { 16 }

  private func exported(depth: Int) -> Any {
    guard case .branch(let branch) = self else { return leaf }
    switch branch.content {
    case .table: return FlaskDictRef(branch: branch)
    case .list(let list):
      return depth < Self.deepestLists ? list.map { $0.exported(depth: depth + 1) } : DeepList(branch: branch)
    }
  }

  /// The value in Swift's types, if it is no dictionary or list.
  var leaf: Any {
    switch self {
    case .nil, .branch: FlaskNil()
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): Int(exactly: value) ?? value as Any
    case .unsigned(let value): UInt(exactly: value) ?? value as Any
    case .double(let value): value
    case .decimal(let value): value
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .url(let value): value
    case .opaque(let value): value.value
    }
  }

  /// The value as an object of Foundation, if it is no dictionary or list. The conversion is explicit, since Linux does
  /// not bridge automatically.
  var foundationLeaf: Any {
    switch self {
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): NSString(string: value)
    default: leaf
    }
  }
}

/// A list that is exported in its stored form, since it is nested directly in too many lists.
struct DeepList: Equatable, Sendable, CustomStringConvertible {
  let branch: Branch

  static func == (a: DeepList, b: DeepList) -> Bool { Branch.areEqual(a.branch, b.branch) }

  var description: String { JSONTextWriter.text(of: branch).text }
}
