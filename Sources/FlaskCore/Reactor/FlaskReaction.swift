/// The changes of one operation in one substance, for one reactor.
///
/// Inside of the handler the reaction itself costs nothing; only requests for keys have a cost. A reaction may be
/// stored, and passed to another thread. It continues to describe its own operation, whatever happens to the substance
/// afterwards.
public struct FlaskReaction: Sendable {
  @usableFromInline let commit: Commit
  let members: ReactorMembers

  /// The lock of an operation that `Flask.lock(withMixer:)` started; `nil` for any other operation. Release the lock
  /// when the work that it waits for has ended.
  public var onLock: FluxLock? { commit.withStates { _, _ in commit.attachedLock } as? FluxLock }

  /// Whether anything changed. True for every reaction that a handler receives.
  public func changed() -> Bool { commit.withStates { _, _ in !commit.changes.pointee.isEmpty } }

  /// The changed keys, nested properties included, in the order of their declaration, also below optionals; keys of
  /// dictionaries are sorted and follow their parent. Complexity: linear in the size of the changes.
  public var keys: [String] {
    commit.withStates { old, new in
      commit.withLayout { $0.changedPaths(commit.changes.pointee, old: old, new: new) }
    }
  }

  /// This reaction if its changes are changes of `substance`, otherwise `nil`.
  public func at(_ substance: AnySubstance) -> FlaskReaction? {
    commit.cell === substance.cell ? self : nil
  }

  /// Runs `body`, now and here, if `key` changed.
  ///
  /// - Parameters:
  ///   - key: the name of a property. Nested names, through structs, optionals and dictionaries, are joined by dots. A
  ///     key of another substance of the reactor is ignored; a key that no substance of the reactor has is a fault.
  ///   - body: called with the key and its old and new value.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public func on(
    _ key: String,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (SubstanceChange) -> Void
  ) {
    let index = commit.index(of: key)
    if index >= 0 {
      if commit.isSeenChanged(index) { notify(index, body) }
    } else {
      onNested(key, at: SourcePlace(fileID, line), body)
    }
  }

  /// Calls `body` with the change of a key. It is a separate function, so that the compiler sees that the commit need
  /// not be retained during the call.
  @inline(never)
  private func notify(_ index: Int, _ body: (SubstanceChange) -> Void) {
    body(SubstanceChange(commit: commit, index: index))
  }

  private func onNested(_ key: String, at location: SourcePlace, _ body: (SubstanceChange) -> Void) {
    switch commit.withLayout({ $0.lookup(key) }) {
    case .key(let index): if commit.isSeenChanged(index) { notify(index, body) }
    case .nested(let index, let rest):
      guard commit.isSeenChanged(index), commit.isNestedChanged(under: index, rest: rest) else { return }
      let nested = Commit.NestedKey(of: commit, path: key, rest: rest)
      body(SubstanceChange(commit: Commit(of: nested), index: index))
    case .unknown:
      members.checkKnown(key, of: commit, at: location)
    }
  }

  /// Runs `body`, now and here, if the key named by a case of a state's `prop` changed. See `on(_:_:)` for strings.
  @inlinable
  public func on<Key: RawRepresentable>(
    _ key: Key,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (SubstanceChange) -> Void
  ) where Key.RawValue == StateProp {
    on(key.rawValue, fileID: fileID, line: line, body)
  }
}

extension FlaskReaction: CustomStringConvertible {
  /// The substance and the changed keys: `FlaskReaction(counter: count)`.
  public var description: String {
    "FlaskReaction(\(commit.substance.name()): \(keys.joined(separator: ", ")))"
  }
}
