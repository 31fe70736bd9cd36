/// The change of the value at a key path: old and new value, typed.
public struct TypedChange<S: Sendable, Value>: Sendable {
  @usableFromInline let commit: Commit
  /// The key path; `nil` if the value is read by its offset.
  // Invariant: a key path is constant. A key path with a capture that is not `Sendable` cannot be written in Swift 6
  // mode.
  @usableFromInline nonisolated(unsafe) let keyPath: KeyPath<S, Value>?
  /// The offset of the value in the state; used if the change has no key path.
  @usableFromInline let offset: Int

  /// The change of a value that is read by its offset.
  @inlinable
  init(commit: Commit, offset: Int) {
    self.commit = commit
    self.keyPath = nil
    self.offset = offset
  }

  /// The change of a value that only the key path can read.
  @usableFromInline
  init(commit: Commit, keyPath: KeyPath<S, Value>) {
    self.commit = commit
    self.keyPath = keyPath
    self.offset = 0
  }

  /// The value before the operation.
  @inlinable
  public var old: Value {
    let states = beginReading()
    // The commit of a stored change owns the memory of the states.
    defer { withExtendedLifetime(self) { if states.isPinned { endReading() } } }
    return value(in: states.old)
  }

  /// The value after the operation, whatever happened to the substance since.
  @inlinable
  public var new: Value {
    let states = beginReading()
    defer { withExtendedLifetime(self) { if states.isPinned { endReading() } } }
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
    if let keyPath { return state.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath] }
    return (state + offset).assumingMemoryBound(to: Value.self).pointee
  }
}

extension TypedChange {
  /// Whether the two values differ.
  @usableFromInline
  var isDifferent: Bool { !TypeRecord.areEqual(old, new) }
}

extension TypedChange: CustomStringConvertible {
  /// The old and the new value: `1 → 2`. A `Redacted` value, and what is in one, is not shown.
  public var description: String {
    isSecret ? "\(SafeText.mark) → \(SafeText.mark)" : "\(SafeText.of(old)) → \(SafeText.of(new))"
  }

  private var isSecret: Bool {
    commit.withLayout { layout in
      let key =
        keyPath.map { layout.indexWithoutOffset(of: $0) ?? layout.firstKey(of: $0) ?? -1 }
        ?? layout.key(of: S.self, offset: offset, type: Value.self)
      if key < 0 { return false }
      let path = layout.path(of: key)
      return commit.withStates { layout.isSecret(path, in: $0) || layout.isSecret(path, in: $1) }
    }
  }
}

extension FlaskReaction {
  /// Runs `body`, synchronously, if the value at `keyPath` changed.
  ///
  /// A reaction of a substance with another state is ignored, and so is a hidden property (`_name`) of the state.
  /// Through a computed property, an optional chain or a subscript, old and new value are read and compared.
  ///
  /// - Parameters:
  ///   - keyPath: in most cases a literal. It is an autoclosure, since the compiler knows the offset of a literal key
  ///     path. The key path object is made only if a value is read by it. The closure may be called twice, and must
  ///     give the same key path each time.
  ///   - body: receives the old and the new value.
  @inlinable
  @inline(__always)
  public func on<S: Sendable, Value>(
    _ keyPath: @autoclosure () -> KeyPath<S, Value>,
    _ body: (TypedChange<S, Value>) -> Void
  ) {
    if let offset = MemoryLayout<S>.offset(of: keyPath()) {
      switch answer(S.self, offset: offset, type: Value.self) {
      case .unchanged: return
      case .changed: return body(TypedChange(commit: commit, offset: offset))
      case .unreadable: return body(TypedChange(commit: commit, keyPath: keyPath()))
      case .noKey: break
      }
    }
    if !isState(of: S.self) { return }
    let path = keyPath()
    switch answer(at: path) {
    case .unchanged: return
    case .changed, .unreadable: body(TypedChange(commit: commit, keyPath: path))
    case .noKey:
      let change = TypedChange<S, Value>(commit: commit, keyPath: path)
      if change.isDifferent { body(change) }
    }
  }

  /// The answer about a stored property.
  @usableFromInline
  enum Answer {
    /// The property has not changed.
    case unchanged
    /// The property belongs to another state or has no key: it is hidden, or is nested in a value that is compared as a
    /// whole.
    case noKey
    case changed
    /// The property has changed, but cannot be read by its offset. It is a function, which generic code stores in
    /// another form, or a weak or unowned reference.
    case unreadable
  }

  /// Determines whether the stored property at an offset has changed, and whether its value can be read at that offset.
  /// One call determines both, so that the usual case, an unchanged property, is cheap.
  @usableFromInline
  func answer(_ state: Any.Type, offset: Int, type: Any.Type) -> Answer {
    commit.withLayout { layout in
      let key = layout.key(of: state, offset: offset, type: type)
      if key < 0 { return .noKey }
      if !commit.isSeenChanged(key) { return .unchanged }
      return layout.stored(key) == nil ? .unreadable : .changed
    }
  }

  /// Determines whether the value at a key path that has no offset has changed: `unreadable` if so, `noKey` if the
  /// values have to be compared. A deallocated object is reported, since reading it would end the process.
  @usableFromInline
  func answer(at path: AnyKeyPath) -> Answer {
    commit.withLayout { layout in
      let key = layout.indexWithoutOffset(of: path)
      if let key {
        if !commit.isSeenChanged(key) { return .unchanged }
      } else if !mayHaveChanged(path) {
        return .unchanged
      }
      let references = layout.references(along: path)
      if let lost = commit.withStates({ layout.lostReference(among: references, in: $0, $1) }) {
        commit.substance.reportLostReference(lost)
        return .unchanged
      }
      return key == nil ? .noKey : .unreadable
    }
  }

  /// Whether the reaction belongs to a substance with the given type of state.
  @usableFromInline
  func isState(of type: Any.Type) -> Bool { commit.withLayout { $0.stateType == type } }

  /// Whether the value at a key path may have changed. The key path leads to no stored property, so the values must be
  /// compared then.
  private func mayHaveChanged(_ keyPath: AnyKeyPath) -> Bool {
    commit.withLayout { layout in
      if layout.isHidden(keyPath) { return false }
      if let first = layout.firstKey(of: keyPath) { return commit.isSeenChanged(first) }
      return changed()
    }
  }
}
