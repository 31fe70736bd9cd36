/// Reads one or more values from a state, and detects the commits that have changed them. Observers and sequences of
/// values use it, for substances and for parts.
///
/// `@unchecked Sendable`:
/// - Invariant: constant; a key path with a capture that is not `Sendable` can't be written in Swift 6 mode.
/// - If violated: a data race in the capture.
package struct ValueReader<Values>: @unchecked Sendable {
  /// The index of the key that contains the value that this reader reads. It is -1 if the reader reads several values,
  /// or one that no single key contains.
  let key: Int
  /// Whether a commit has changed any of the values that this reader reads. Called for commits that have changed `key`.
  let isChanged: (Commit) -> Bool
  /// Reads the values from a state.
  package let read: (UnsafeRawPointer) -> Values
}

extension ValueReader {
  /// Passes the current values to `handler`, and then the values after each commit that has changed any of them. The
  /// calls are made on the handler's isolation; the first call comes before this function returns if the caller is on
  /// that isolation.
  package func observe(
    _ cell: Cell,
    on isolation: HandlerIsolation,
    callerIsolation: ActorIdentity,
    subjectIsGone: (() -> Void)? = nil,
    reading: (Cell, StartingState) -> StateBox = { $1.read(from: $0) },
    _ handler: @escaping (Values) -> Void
  ) -> SubstanceObservation {
    cell.listenFromNow(
      to: key,
      on: isolation,
      callerIsolation: callerIsolation,
      subjectIsGone: subjectIsGone,
      reading: reading,
      begin: { handler(read($0)) },
      { commit in
        if isChanged(commit) { handler(commit.withStates { _, new in read(new) }) }
      }
    )
  }
}

extension TypedSubstance {
  /// Returns a reader of the values at some key paths. Changes of stored properties are detected by key. The value at
  /// any other key path is read and compared after each commit that changed the property at its beginning.
  package final func reader<each Value>(of keyPath: repeat KeyPath<S, each Value>) -> ValueReader<
    (repeat each Value)
  > {
    var parts: [ValuePart] = []
    for keyPath in repeat each keyPath { parts.append(ValuePart(of: keyPath, in: cell.layout)) }
    let place = (repeat ValuePlace(each keyPath, key: key(of: each keyPath)))
    return ValueReader(
      key: parts.count == 1 ? parts[0].key : -1,
      isChanged: { [parts] commit in parts.contains { $0.isChanged(commit) } },
      read: { state in (repeat (each place).value(in: state)) }
    )
  }
}

/// One of the values that a `ValueReader` reads: the key that contains it, and a function that checks whether a commit
/// has changed it.
struct ValuePart {
  /// The index of the key that the value's key path leads to or through; -1 if changes of any key may affect the value.
  let key: Int
  /// Whether changes of the value are not reported, since the name of its property begins with `_`.
  let isHidden: Bool
  /// Whether the value is that of the key, which may be a function or a reference that is not read from memory. It has
  /// changed if the key has. Other values are compared.
  let isExact: Bool
  /// The keys of the references that the key path passes or leads to.
  let references: [Int]
  let isChanged: (Commit) -> Bool

  init<S, Value>(of keyPath: KeyPath<S, Value>, in layout: StateLayout) {
    let references = layout.references(along: keyPath)
    self.references = references
    if let key = layout.index(of: keyPath) {
      self.key = key
      isHidden = false
      isExact = true
      isChanged = { $0.isChanged(key) }
      return
    }
    let key = layout.firstKey(of: keyPath) ?? -1
    let isHidden = layout.isHidden(keyPath)
    self.key = key
    self.isHidden = isHidden
    isExact = false
    isChanged = { commit in
      if isHidden || key >= 0 && !commit.isChanged(key) { return false }
      return commit.withStates { old, new in
        if layout.lostReference(among: references, in: old, new) != nil { return true }
        let old = old.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
        let new = new.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
        return !TypeRecord.areEqual(old, new)
      }
    }
  }

  init<S>(of keyPath: PartialKeyPath<S>, in layout: StateLayout) {
    func open<Value>(_ type: Value.Type) -> ValuePart {
      ValuePart(of: unsafeDowncast(keyPath, to: KeyPath<S, Value>.self), in: layout)
    }
    self = _openExistential(type(of: keyPath).valueType, do: open)
  }
}

/// Where a value is read in a state: at its offset, or by its key path.
private struct ValuePlace<Root, Value> {
  private let offset: Int?
  private let keyPath: KeyPath<Root, Value>

  /// - Parameter key: the index of the key of a value that can be read directly from the memory of the state; otherwise
  ///   `nil`.
  init(_ keyPath: KeyPath<Root, Value>, key: Int?) {
    offset = key == nil ? nil : MemoryLayout<Root>.offset(of: keyPath)
    self.keyPath = keyPath
  }

  func value(in state: UnsafeRawPointer) -> Value {
    if let offset { return (state + offset).assumingMemoryBound(to: Value.self).pointee }
    return state.assumingMemoryBound(to: Root.self).pointee[keyPath: keyPath]
  }
}
