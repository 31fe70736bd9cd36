internal import Foundation

/// A JSON Patch as it was kept: with the old values beside the new ones. Knows old values, so it leads both ways.
public struct JSONPatch: Sendable {
  enum Operation: Sendable, Hashable {
    case add([String], ArchiveValue)
    case remove([String], ArchiveValue)
    case replace([String], old: ArchiveValue, new: ArchiveValue)

    var inverted: Operation {
      switch self {
      case .add(let path, let value): .remove(path, value)
      case .remove(let path, let value): .add(path, value)
      case .replace(let path, let old, let new): .replace(path, old: new, new: old)
      }
    }
  }

  /// A patch that does not fit a state: where.
  public struct Misfit: Error {
    /// The names that lead to the place.
    public let path: [String]
  }

  private(set) var operations: [Operation]

  /// The patch that a line of a recording holds.
  ///
  /// - Returns: `nil` if the value is no patch.
  public init?(_ value: ArchiveValue) {
    guard let list = value.array else { return nil }
    operations = []
    for element in list {
      guard let name = element["op"]?.string,
        let path = element["path"]?.string.flatMap({ JSONPointer.tokens($0) })
      else { return nil }
      switch (name, element["old"], element["value"]) {
      case ("add", _, let new?): operations.append(.add(path, new))
      case ("remove", let old?, _): operations.append(.remove(path, old))
      case ("replace", let old?, let new?): operations.append(.replace(path, old: old, new: new))
      default: return nil
      }
    }
  }

  /// The patch that leads back.
  var inverted: JSONPatch {
    var patch = self
    patch.operations = operations.reversed().map(\.inverted)
    return patch
  }

  /// A value as the patch makes it of another one.
  public func applied(to value: ArchiveValue) throws(Misfit) -> ArchiveValue {
    var value = value
    try apply(to: &value)
    return value
  }

  /// Changes a value in place. Each old value has to be the one that is there; if one is not, all is as it was.
  func apply(to value: inout ArchiveValue) throws(Misfit) {
    for (index, operation) in operations.enumerated() where !operation.apply(to: &value) {
      for done in operations[..<index].reversed() { _ = done.inverted.apply(to: &value) }
      throw Misfit(path: operation.path)
    }
  }
}

extension JSONPatch.Operation {
  fileprivate var path: [String] {
    switch self {
    case .add(let path, _), .remove(let path, _), .replace(let path, _, _): path
    }
  }

  /// False if it does not fit; then nothing is changed.
  fileprivate func apply(to value: inout ArchiveValue) -> Bool {
    value.change(at: path[...]) { target in
      switch self {
      case .add(_, let new): target.insert(new)
      case .remove(_, let old): target.present == old && target.remove()
      case .replace(_, let old, let new): target.present == old && target.replace(new)
      }
    }
  }
}

/// A place in a value, for one change.
private struct PatchTarget {
  /// What is there; `nil` if nothing is.
  let present: ArchiveValue?
  /// What comes there; `nil` for nothing.
  var new: ArchiveValue?
  /// Whether it comes before what is there.
  var isInserted = false

  init(_ present: ArchiveValue?) { self.present = present }

  mutating func insert(_ value: ArchiveValue) -> Bool {
    new = value
    isInserted = true
    return true
  }

  mutating func remove() -> Bool { true }

  mutating func replace(_ value: ArchiveValue) -> Bool {
    new = value
    return true
  }
}

extension ArchiveValue {
  /// Reads what a recording holds.
  init(recorded bytes: [UInt8]) throws { try self.init(text: Data(bytes), maximumDepth: 512) }

  /// Changes what a path leads to, in place; false if it leads nowhere, or `body` says so.
  fileprivate mutating func change(at path: ArraySlice<String>, _ body: (inout PatchTarget) -> Bool) -> Bool {
    guard let name = path.first else {
      var target = PatchTarget(self)
      guard body(&target), let new = target.new else { return false }
      self = new
      return true
    }
    switch self {
    case .object(var members):
      // Taken out meanwhile, so that what is below has one owner and is changed in place.
      self = .null
      defer { self = .object(members) }
      guard path.count == 1 else {
        guard var member = members.removeValue(forKey: name) else { return false }
        defer { members[name] = member }
        return member.change(at: path.dropFirst(), body)
      }
      var target = PatchTarget(members[name])
      guard body(&target), target.isInserted || target.present != nil else { return false }
      members[name] = target.new
      return true
    case .array(var elements):
      self = .null
      defer { self = .array(elements) }
      guard let index = Int(name), index >= 0, index <= elements.count else { return false }
      guard path.count == 1 else {
        return index < elements.count && elements[index].change(at: path.dropFirst(), body)
      }
      var target = PatchTarget(index < elements.count ? elements[index] : nil)
      guard body(&target) else { return false }
      if target.isInserted, let new = target.new {
        elements.insert(new, at: index)
      } else if index < elements.count {
        if let new = target.new { elements[index] = new } else { elements.remove(at: index) }
      } else {
        return false
      }
      return true
    default: return false
    }
  }
}

extension JSONPointer {
  /// The names of a path; `nil` if it is none.
  static func tokens(_ path: String) -> [String]? {
    if path.isEmpty { return [] }
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    // By scalars, since a combining mark after a slash makes one character of both.
    return path.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      .map { String(String.UnicodeScalarView($0)) }
      .map { unescaped($0) }
  }

  private static func unescaped(_ token: String) -> String {
    guard token.utf8.contains(UInt8(ascii: "~")) else { return token }
    var text = String.UnicodeScalarView()
    var isEscape = false
    for scalar in token.unicodeScalars {
      if isEscape {
        text.append(scalar == "1" ? "/" : "~")
        isEscape = false
      } else if scalar == "~" {
        isEscape = true
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
