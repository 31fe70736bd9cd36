internal import FlaskCoding
internal import FlaskPrimitives
internal import Foundation

/// A JSON Patch as it was stored, with old and new values. Since it has the old values, it can be applied in both
/// directions.
public struct JSONPatch: Hashable, Sendable {
  /// The error of a patch that does not fit a value, with the path at which it does not fit.
  public struct Mismatch: Error {
    /// The names on the path to the value.
    public let path: [String]
  }

  private(set) var operations: [PatchOperation<[String], ArchiveValue>]

  /// Reads a patch that a recording or an archived history contains.
  ///
  /// - Returns: `nil` if the value is no patch.
  public init?(_ value: ArchiveValue) {
    guard let list = value.array else { return nil }
    operations = []
    for element in list {
      guard let name = element["op"]?.string,
        let path = element["path"]?.string.flatMap({ JSONPointer.tokens($0) })
      else { return nil }
      let operation = PatchOperation(
        path: path,
        old: name == "add" ? nil : element["old"],
        new: name == "remove" ? nil : element["value"]
      )
      guard operation.name == name, operation.old != nil || operation.new != nil else { return nil }
      operations.append(operation)
    }
  }

  /// The patch that reverts this patch.
  package var inverted: JSONPatch {
    var patch = self
    patch.operations = operations.reversed().map(\.inverted)
    return patch
  }

  /// The result of applying the patch to a value.
  public func applied(to value: ArchiveValue) throws(Mismatch) -> ArchiveValue {
    var value = value
    try apply(to: &value)
    return value
  }

  /// Applies the patch to a value in place. Each old value in the patch must be equal to the present value at its path.
  /// Otherwise the whole value stays as it was.
  package func apply(to value: inout ArchiveValue) throws(Mismatch) {
    let depth = operations.map(\.path.count).max() ?? 0
    let mismatch = ArchiveValue.withRoom(for: depth) { () -> Mismatch? in
      for (index, operation) in operations.enumerated() where !value.change(by: operation) {
        for done in operations[..<index].reversed() { _ = value.change(by: done.inverted) }
        return Mismatch(path: operation.path)
      }
      return nil
    }
    if let mismatch { throw mismatch }
  }
}

extension ArchiveValue {
  /// Reads a patch of a recording.
  package init(recorded bytes: [UInt8]) throws { try self.init(text: Data(bytes), maximumDepth: 512) }

  /// Calls `body`, which recurses over `depth` levels of nested values. For more than 32 levels it runs on a large
  /// stack, since the caller may have a small one.
  package static func withRoom<Result>(for depth: Int, _ body: () -> Result) -> Result {
    var result: Result?
    if depth > 32 { _ = LargeStack.run(size: 16 << 20) { result = body() } }
    return result ?? body()
  }

  /// Applies an operation in place. If the operation does not fit, nothing is changed.
  ///
  /// - Returns: whether the operation was applied.
  fileprivate mutating func change(by operation: PatchOperation<[String], ArchiveValue>) -> Bool {
    change(at: operation.path[...], from: operation.old, to: operation.new)
  }

  private mutating func change(at path: ArraySlice<String>, from old: ArchiveValue?, to new: ArchiveValue?)
    -> Bool
  {
    guard let name = path.first else {
      guard let new, old == nil || old == self else { return false }
      self = new
      return true
    }
    switch self {
    case .object(var members):
      // The nested value is moved out of its parent while it changes, so that it is uniquely referenced and not copied.
      self = .null
      defer { self = .object(members) }
      guard path.count == 1 else {
        guard var member = members.removeValue(forKey: name) else { return false }
        defer { members[name] = member }
        return member.change(at: path.dropFirst(), from: old, to: new)
      }
      guard old == nil || old == members[name] else { return false }
      members[name] = new
    case .array(var elements):
      self = .null
      defer { self = .array(elements) }
      guard let index = Int(name), index >= 0, index <= elements.count else { return false }
      guard let old, path.count == 1 else {
        if path.count == 1, let new {
          elements.insert(new, at: index)
          return true
        }
        return index < elements.count && elements[index].change(at: path.dropFirst(), from: old, to: new)
      }
      guard index < elements.count, elements[index] == old else { return false }
      if let new { elements[index] = new } else { elements.remove(at: index) }
    default: return false
    }
    return true
  }
}
