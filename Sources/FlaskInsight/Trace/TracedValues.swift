/// Which values a trace keeps, as text.
public struct TracedValues: Sendable {
  enum Kind: Sendable {
    case none, all
    case keyPaths([SecretKeyPath])
  }

  let kind: Kind

  /// Records no values. A full trace then stops allocating.
  public static let none = TracedValues(kind: .none)
  /// The values of all keys that change, except secrets.
  public static let all = TracedValues(kind: .all)
  /// Selects the values of one key and of the keys below it, in states of the key path's root type.
  public static func only<Root, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> TracedValues {
    TracedValues(kind: .keyPaths([SecretKeyPath(keyPath)]))
  }

  /// Adds another key to the named keys.
  public func and<Root, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> TracedValues {
    switch kind {
    case .none: .only(keyPath)
    case .all: self
    case .keyPaths(let others): TracedValues(kind: .keyPaths(others + [SecretKeyPath(keyPath)]))
    }
  }

  /// Whether all values are kept except secrets.
  public var areAll: Bool { if case .all = kind { true } else { false } }
  var areNone: Bool { if case .none = kind { true } else { false } }

  func contains(_ key: Int, of layout: StateLayout) -> Bool {
    switch kind {
    case .none: return false
    case .all: return true
    case .keyPaths(let keyPaths):
      let root = ObjectIdentifier(layout.stateType)
      return keyPaths.contains { keyPath in
        guard keyPath.root == root, let wanted = keyPath.find(layout) else { return false }
        var next: Int? = key
        while let present = next {
          if present == wanted { return true }
          next = layout.parent(of: present)
        }
        return false
      }
    }
  }
}
