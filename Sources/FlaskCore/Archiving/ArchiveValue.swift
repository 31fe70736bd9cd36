/// A JSON value of an archive, which a migration reads and changes.
///
/// ```swift
/// var settings: ArchiveValue = ["name": "Ada", "visits": 3]
/// settings.rename("name", to: "title")
/// settings["visits"] = nil
/// ```
public enum ArchiveValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, with exactly the digits that were written.
  case number(ArchiveNumber)
  /// Text.
  case string(String)
  /// Values in order.
  case array([ArchiveValue])
  /// Values by key.
  case object([String: ArchiveValue])

  /// The value under a key of an object. Setting `nil` removes the key; setting anything on something other than an
  /// object does nothing.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value; `nil` if the object has none, or this value is no object.
  public subscript(key: String) -> ArchiveValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members[key]
    }
    set {
      guard case .object(var members) = self else { return }
      self = .null
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The elements of an array; `nil` if the value is no array. Setting `nil` does nothing.
  public var array: [ArchiveValue]? {
    get {
      guard case .array(let elements) = self else { return nil }
      return elements
    }
    set {
      if let newValue { self = .array(newValue) }
    }
  }

  /// The members of an object; `nil` if the value is no object. Setting `nil` does nothing.
  public var object: [String: ArchiveValue]? {
    get {
      guard case .object(let members) = self else { return nil }
      return members
    }
    set {
      if let newValue { self = .object(newValue) }
    }
  }

  /// The text; `nil` if the value is no text.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The truth value; `nil` if the value is no truth value.
  public var bool: Bool? {
    guard case .bool(let truth) = self else { return nil }
    return truth
  }

  /// Moves the value of an object from one key to another, replacing a value there. Does nothing if the first key has
  /// no value.
  ///
  /// - Parameters:
  ///   - key: the present key.
  ///   - newKey: the new key.
  public mutating func rename(_ key: String, to newKey: String) {
    guard let value = self[key] else { return }
    self[key] = nil
    self[newKey] = value
  }

  /// Changes each element of an array, or each member of an object; nothing happens to anything else.
  ///
  /// ```swift
  /// archive["items"]?.changeEach { item in item["done"] = false }
  /// ```
  ///
  /// - Parameter change: changes one.
  /// - Throws: what `change` throws.
  /// - Complexity: O(*n*) in the number of elements.
  public mutating func changeEach(_ change: (inout ArchiveValue) throws -> Void) rethrows {
    switch self {
    case .array(let elements):
      self = .array(try elements.map { try Self.changed($0, by: change) })
    case .object(let members):
      self = .object(try members.mapValues { try Self.changed($0, by: change) })
    case .null, .bool, .number, .string: return
    }
  }

  private static func changed(
    _ value: ArchiveValue,
    by change: (inout ArchiveValue) throws -> Void
  ) rethrows -> ArchiveValue {
    var value = value
    try change(&value)
    return value
  }
}
