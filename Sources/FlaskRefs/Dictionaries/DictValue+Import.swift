internal import FlaskDiff
internal import Foundation

extension DictValue {
  /// Converts a value of Swift or Foundation, with everything that it contains.
  ///
  /// Takes constant stack at any depth. Complexity: linear.
  init(_ value: Any) {
    var levels: [ImportLevel] = []
    var next: Any? = value
    while true {
      var finished: DictValue?
      if let source = next {
        switch ImportedValue(source) {
        case .leaf(let leaf): finished = leaf
        case .list(let list): levels.append(ImportLevel(keys: nil, sources: list))
        case .table(let keys, let values): levels.append(ImportLevel(keys: keys, sources: values))
        }
      } else {
        finished = levels.popLast().map { .branch($0.branch) }
      }
      guard let last = levels.indices.last else {
        self = finished ?? .nil
        return
      }
      if let finished { levels[last].values.append(finished) }
      next = levels[last].next
    }
  }
}

/// A list or dictionary that is being converted: its elements or entries, and the converted values of the first of
/// these.
private struct ImportLevel {
  let keys: [String]?
  let sources: [Any]
  var values: [DictValue] = []

  init(keys: [String]?, sources: [Any]) {
    self.keys = keys
    self.sources = sources
    values.reserveCapacity(sources.count)
  }

  var next: Any? { values.count < sources.count ? sources[values.count] : nil }

  var branch: Branch {
    guard let keys else { return Branch(.list(values)) }
    return Branch(.table(Dictionary(zip(keys, values)) { _, last in last }))
  }
}

/// A value of Swift or Foundation during its import: a converted leaf, or a collection whose contents must still be
/// converted.
private enum ImportedValue {
  case leaf(DictValue)
  case list([Any])
  case table(keys: [String], values: [Any])

  init(_ value: Any) {
    if let leaf = Self.common(value) {
      self = .leaf(leaf)
    } else if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      self = ImportedValue(hashable.base)
    } else if let content = value as? any AnyOptional {
      self = content.content.map { ImportedValue($0) } ?? .leaf(.nil)
    } else if let table = value as? [String: Any] {
      self = .table(keys: Array(table.keys), values: Array(table.values))
    } else if let table = value as? [AnyHashable: Any] {
      let named = Self.named(table)
      self = .table(keys: Array(named.keys), values: Array(named.values))
    } else if let list = value as? [Any] {
      self = .list(list)
    } else {
      self = .leaf(Self.single(value))
    }
  }

  /// Converts a value of one of the most frequent types. The type is compared, not cast, since casts on Apple's systems
  /// also convert numbers of one type to another.
  private static func common(_ value: Any) -> DictValue? {
    switch type(of: value) {
    case is String.Type: (value as? String).map { .string($0) }
    case is Int.Type: (value as? Int).map { .integer(Int64($0)) }
    case is Bool.Type: (value as? Bool).map { .bool($0) }
    case is Double.Type: (value as? Double).map { .double($0) }
    case is Decimal.Type: (value as? Decimal).map { .decimal($0) }
    default: nil
    }
  }

  private static func single(_ value: Any) -> DictValue {
    switch value {
    case is FlaskNil: .nil
    case is NSNull: .null
    case let value as FlaskDictRef: .branch(value.branch)
    case let value as DeepList: .branch(value.branch)
    case let value as any BinaryInteger: integer(value)
    case let value as any BinaryFloatingPoint: .double(double(value))
    case let value as NSNumber: number(value)
    case let value as any StringProtocol: .string(String(describing: value))
    case let value as String: .string(value)
    case let value as Date: .date(value)
    case let value as Data: .data(value)
    case let value as URL: .url(value)
    default: .opaque(OpaqueValue(value: value))
    }
  }

  private static func integer(_ value: some BinaryInteger) -> DictValue {
    if let integer = Int64(exactly: value) { return .integer(integer) }
    if let integer = UInt64(exactly: value) { return .unsigned(integer) }
    return Decimal(string: String(describing: value)).map { .decimal($0) } ?? .double(Double(value))
  }

  private static func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }

  private static func number(_ number: NSNumber) -> DictValue {
    // On every platform, the two Booleans are unique objects, different from all number objects.
    if number === NSNumber(value: true) { return .bool(true) }
    if number === NSNumber(value: false) { return .bool(false) }
    if let decimal = number as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(number.doubleValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): return integer(number.uint64Value)
    default: return .integer(number.int64Value)
    }
  }

  /// Returns the entries with strings as keys. A key of another type is converted to its description. If a string key
  /// is equal to this description, the entry of the string key is used.
  private static func named(_ table: [AnyHashable: Any]) -> [String: Any] {
    var named: [String: Any] = [:]
    for (key, value) in table where !(key.base is String) { named[String(describing: key.base)] = value }
    for (key, value) in table {
      if let key = key.base as? String { named[key] = value }
    }
    return named
  }
}
