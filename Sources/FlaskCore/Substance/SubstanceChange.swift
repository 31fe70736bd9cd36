/// The change of one key: its name, its old and its new value.
///
/// A change may be stored, like its reaction, and continues to describe its own operation.
public struct SubstanceChange: Sendable {
  let commit: Commit
  /// The index of the changed key in the layout of the state. For a key below a dictionary or an optional, it is the
  /// index of the key that has the dictionary or the optional.
  let index: Int

  var nested: Commit.NestedKey? { commit.nested }

  /// The key as text; nested keys with dots.
  public func key() -> String { nested?.path ?? commit.withLayout { $0.path(of: index) } }

  /// The substance that changed.
  public func substance() -> AnySubstance { commit.substance }

  /// The value before the operation as the requested type; `nil` if the key is new, or if an optional was `nil`. A
  /// request for a type to which the value cannot be cast is a fault, and returns `nil`. A request for `Any?` returns
  /// the value itself, without optionals around it.
  @inlinable
  @inline(__always)
  public func oldValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    // The commit of a stored change owns the memory at the address.
    defer { withExtendedLifetime(self) {} }
    if let address = address(.old, of: Value.self) {
      return address.assumingMemoryBound(to: Value.self).pointee
    }
    return convertedValue(.old, at: SourcePlace(fileID, line))
  }

  /// The value after the operation as the requested type; `nil` if the key no longer exists, or if an optional is
  /// `nil`. A request for a type to which the value cannot be cast is a fault, and returns `nil`. A request for `Any?`
  /// returns the value itself, without optionals around it.
  @inlinable
  @inline(__always)
  public func newValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    defer { withExtendedLifetime(self) {} }
    if let address = address(.new, of: Value.self) {
      return address.assumingMemoryBound(to: Value.self).pointee
    }
    return convertedValue(.new, at: SourcePlace(fileID, line))
  }
}

extension SubstanceChange: CustomStringConvertible {
  /// The key with its old and its new value: `count: 1 → 2`. A `Redacted` value is not shown.
  public var description: String { "\(key()): \(text(.old)) → \(text(.new))" }

  private func text(_ side: Side) -> String {
    let key = key()
    let isSecret = commit.withStates { old, new in
      commit.withLayout { $0.isSecret(key, in: old) || $0.isSecret(key, in: new) }
    }
    return anyValue(side).map { isSecret ? SafeText.mark : SafeText.of($0) } ?? "nil"
  }
}

extension Commit {
  /// The substance that changed. The cast is safe, since only substances own cells.
  var substance: AnySubstance { unsafeDowncast(owner, to: AnySubstance.self) }
}
