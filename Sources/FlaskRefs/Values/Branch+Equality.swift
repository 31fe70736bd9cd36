internal import Foundation

extension Branch {
  /// Whether two lists or tables have equal contents. Numbers of different types are different.
  ///
  /// Needs constant stack at any depth. Complexity: linear; storage that both share is not compared.
  static func areEqual(_ a: Branch, _ b: Branch) -> Bool {
    var pending = [(a, b)]
    while let (a, b) = pending.popLast() {
      if a === b { continue }
      switch (a.content, b.content) {
      case (.list(let a), .list(let b)):
        guard a.count == b.count else { return false }
        for (a, b) in zip(a, b) {
          guard DictValue.areEqual(a, b, pending: &pending) else { return false }
        }
      case (.table(let a), .table(let b)):
        guard a.count == b.count else { return false }
        // As long as the keys of both tables come in the same order, the entries are compared without hashing. A copy
        // that was changed in place has the order of its original.
        var beside = b.makeIterator()
        for (key, a) in a {
          let candidate = beside.next()
          guard let b = candidate?.key == key ? candidate?.value : b[key],
            DictValue.areEqual(a, b, pending: &pending)
          else { return false }
        }
      case (.list, _), (.table, _):
        return false
      }
    }
    return true
  }
}

extension DictValue {
  /// Whether two values are equal. Two lists or dictionaries are not compared here: they are appended to `pending`, and
  /// the result is `true`.
  fileprivate static func areEqual(_ a: Self, _ b: Self, pending: inout [(Branch, Branch)]) -> Bool {
    switch (a, b) {
    case (.nil, .nil), (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.integer(let a), .integer(let b)): return a == b
    case (.unsigned(let a), .unsigned(let b)): return a == b
    case (.double(let a), .double(let b)): return areEqual(a, b)
    case (.decimal(let a), .decimal(let b)): return a == b
    case (.string(let a), .string(let b)): return a == b
    case (.date(let a), .date(let b)):
      return areEqual(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.data(let a), .data(let b)): return a == b
    case (.url(let a), .url(let b)): return a == b
    case (.opaque(let a), .opaque(let b)): return OpaqueValue.areEqual(a, b)
    case (.branch(let a), .branch(let b)):
      pending.append((a, b))
      return true
    default: return false
    }
  }

  /// NaN equals itself. Otherwise a state with a NaN would change in every commit.
  private static func areEqual(_ a: Double, _ b: Double) -> Bool { a == b || (a.isNaN && b.isNaN) }
}
