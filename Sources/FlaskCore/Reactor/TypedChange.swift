@_spi(FlaskInternals) public import FlaskDiff

/// The change of what a key path leads to: old and new value, typed.
public struct TypedChange<S: Sendable, Value>: Sendable {
  let commit: Commit
  // Key paths are immutable; those that capture a value that isn't `Sendable` can't be written in Swift 6 mode.
  @usableFromInline nonisolated(unsafe) let keyPath: KeyPath<S, Value>
  /// Where the value lies in the state; `nil` where only the key path leads to it.
  @usableFromInline let offset: Int?

  @usableFromInline
  init(commit: FlaskReaction, keyPath: KeyPath<S, Value>, offset: Int?) {
    self.commit = commit.commit
    self.keyPath = keyPath
    self.offset = offset
  }

  /// The value before the operation.
  @inlinable
  public var old: Value {
    let states = beginReading()
    defer { if states.isPinned { endReading() } }
    return value(in: states.old)
  }

  /// The value after the operation, whatever happened to the substance since.
  @inlinable
  public var new: Value {
    let states = beginReading()
    defer { if states.isPinned { endReading() } }
    return value(in: states.new)
  }

  /// The substance that changed.
  public func substance() -> TypedSubstance<S> {
    unsafeDowncast(commit.substance, to: TypedSubstance<S>.self)
  }

  @usableFromInline
  func beginReading() -> (old: UnsafeRawPointer, new: UnsafeRawPointer, isPinned: Bool) {
    commit.beginReading()
  }

  @usableFromInline
  func endReading() { commit.endReading(isPinned: true) }

  @inlinable
  @inline(__always)
  func value(in state: UnsafeRawPointer) -> Value {
    if let offset { return (state + offset).assumingMemoryBound(to: Value.self).pointee }
    return state.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
  }
}

extension TypedChange: CustomStringConvertible {
  /// The old and the new value: `1 → 2`.
  public var description: String { "\(old) → \(new)" }
}

extension FlaskReaction {
  /// Runs `body`, now and here, if what `keyPath` leads to changed.
  ///
  /// A reaction of a substance with another state is ignored, and so is a property whose name begins with `_`. Through
  /// a computed property, an optional chain or a subscript, old and new value are read and compared.
  @inlinable
  public func on<S: Sendable, Value>(
    _ keyPath: KeyPath<S, Value>,
    _ body: (TypedChange<S, Value>) -> Void
  ) {
    guard isState(of: S.self) else { return }
    if let offset = MemoryLayout<S>.offset(of: keyPath) {
      // A stored property that is hidden, or lies where nothing has a key, has none.
      if let change = change(atOffset: offset, type: Value.self) {
        body(TypedChange(commit: self, keyPath: keyPath, offset: change.isReadable ? offset : nil))
      }
    } else if mayHaveChanged(keyPath) {
      let change = TypedChange(commit: self, keyPath: keyPath, offset: nil)
      if !StateDiff.areEqual(change.old, change.new) { body(change) }
    }
  }

  /// Whether it is the reaction of a substance with a state of that type.
  @usableFromInline
  func isState(of type: Any.Type) -> Bool { commit.withLayout { $0.stateType == type } }

  /// The change of the stored property at an offset; `nil` if it is no key, or has not changed. A function can't be
  /// read by its offset, since generic code stores it in another form.
  @usableFromInline
  func change(atOffset offset: Int, type: Any.Type) -> (isReadable: Bool, key: Int)? {
    commit.withLayout { layout in
      guard let key = layout.index(offset: offset, type: type), commit.isChanged(key) else { return nil }
      return (layout.stored(key) != nil, key)
    }
  }

  /// Whether what a key path without an offset leads to is worth a look.
  @usableFromInline
  func mayHaveChanged(_ keyPath: AnyKeyPath) -> Bool {
    commit.withLayout { layout in
      if layout.isHidden(keyPath) { return false }
      if let first = layout.firstKey(of: keyPath) { return commit.isChanged(first) }
      return !commit.changes.pointee.isEmpty
    }
  }
}
