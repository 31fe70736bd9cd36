internal import Foundation

extension DictValue {
  /// The value as Swift sees it: dictionaries as `FlaskDictRef`, lists as `[Any]`.
  ///
  /// Lists directly in lists are converted down to `deepestLists`; a deeper list becomes a value that can only be
  /// compared, printed and put back, since Swift would release an array of arrays of any depth recursively.
  var exported: Any { exported(depth: 0) }

  /// Nesting limit of exported arrays. Kept below the depth to which `StateDiff` compares arrays, so a comparison
  /// always reaches the leaves.
  private static var deepestLists: Int { 16 }

  private func exported(depth: Int) -> Any {
    guard case .branch(let branch) = self else { return leaf }
    switch branch.content {
    case .table: return FlaskDictRef(branch: branch)
    case .list(let list):
      return depth < Self.deepestLists ? list.map { $0.exported(depth: depth + 1) } : DeepList(branch: branch)
    }
  }

  /// The value as Swift sees it, unless it is a branch.
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

  /// The value as Foundation's classes see it, unless it is a branch. Linux does not bridge by itself.
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

/// A list that is nested in so many lists directly that it is exported in its stored form.
struct DeepList: Equatable, Sendable, CustomStringConvertible {
  let branch: Branch

  static func == (a: DeepList, b: DeepList) -> Bool { Branch.areEqual(a.branch, b.branch) }

  var description: String { JSONTextWriter.text(of: branch).text }
}
