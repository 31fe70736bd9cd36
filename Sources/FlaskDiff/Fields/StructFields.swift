/// How the stored properties of a struct can be reached.
enum StructFields {
  /// Not at all: the value is taken as one.
  case none
  /// At known offsets, in the order of declaration.
  case located([StoredField])
  /// By name through `Mirror` only; the names, in the order of declaration.
  case reflected([String])

  /// Whether there is anything that has a key of its own.
  var hasVisible: Bool {
    switch self {
    case .none: false
    case .located(let fields): fields.contains { !$0.isHidden }
    case .reflected(let names): names.contains { !Self.isHidden($0) }
    }
  }

  /// Names that begin so belong to caches, lazy storage and property wrappers, which take no part in comparisons.
  static func isHidden(_ name: String) -> Bool { name.hasPrefix("_") || name.hasPrefix("$") }
}
