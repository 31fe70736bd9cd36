extension AnySubstance {
  /// Calls `handler` after each commit that changed `key`, for as long as the observation is retained.
  ///
  /// Observers are found by key: an observer whose key has not changed costs a commit nothing. They are notified after
  /// the reactors, in the order in which the keys are declared. Observers of one key are notified in the order in which
  /// they were made. A handler without its own isolation runs on the isolation from which `observe` was called, as for
  /// reactors.
  ///
  /// - Parameters:
  ///   - key: the name of a property. Nested names, through structs, optionals and dictionaries, are joined by dots. A
  ///     key that the state does not have is a fault, and its observer is never called.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - handler: receives the change with its old and new value. In clients in Swift 5 mode it need not be `Sendable`.
  @available(swift, introduced: 6)
  public final func observe(
    key: String,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (SubstanceChange) -> Void
  ) -> SubstanceObservation {
    observe(
      key,
      on: HandlerIsolation(handler.isolation ?? isolation),
      at: SourcePlace(fileID, line),
      PlainFunction.of(handler)
    )
  }

  /// Observes a key that is given as a case of the state's `prop` enum. For keys given as strings see
  /// `observe(key:_:)`.
  @available(swift, introduced: 6)
  public final func observe(
    _ key: any RawRepresentable<StateProp>,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (SubstanceChange) -> Void
  ) -> SubstanceObservation {
    // The function is not generic over the key. If it were, the compiler's message for a misspelled `observe(\.cuont)`
    // would be that a key path is no case. Now it is that there is no member `cuont`.
    observe(key: key.rawValue, isolation: isolation, fileID: fileID, line: line, handler)
  }

  private func observe(
    _ key: String,
    on isolation: HandlerIsolation,
    at location: SourcePlace,
    _ handler: @escaping (SubstanceChange) -> Void
  ) -> SubstanceObservation {
    switch cell.layout.lookup(key) {
    case .key(let index):
      return observe(
        key: index,
        on: isolation,
        { handler(SubstanceChange(commit: $0, index: index)) }
      )
    case .nested(let index, let rest):
      return observe(
        key: index,
        on: isolation,
        { commit in
          if commit.isNestedChanged(under: index, rest: rest) {
            let nested = Commit.NestedKey(of: commit, path: key, rest: rest)
            handler(SubstanceChange(commit: Commit(of: nested), index: index))
          }
        }
      )
    case .unknown:
      report(
        .unknownKey,
        "\(name()) has no key `\(key)`; it has \(keys.joined(separator: ", "))",
        at: location
      )
      return SubstanceObservation(nil, among: cell.listeners, key: 0)
    }
  }

  /// Adds an observer of a key, or of all keys (-1).
  package final func observe(
    key: Int,
    on isolation: HandlerIsolation,
    _ handler: @escaping (Commit) -> Void
  ) -> SubstanceObservation {
    cell.observe(key: key, on: isolation, handler)
  }

  /// Adds an observer of a key, or of all keys (-1). The observer gets the addresses of the old and the new state. Both
  /// states stay valid and unchanged during the call.
  @usableFromInline
  final func observe(
    key: Int,
    on isolation: (any Actor)?,
    _ handle: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Void
  ) -> SubstanceObservation {
    observe(key: key, on: HandlerIsolation(isolation), Listener.states(handle))
  }
}

extension Cell {
  /// Adds an observer of a key, or of all keys (-1).
  package func observe(
    key: Int,
    on isolation: HandlerIsolation,
    _ handler: @escaping (Commit) -> Void
  ) -> SubstanceObservation {
    let listener = Listener(handler, isolation: isolation)
    listeners.add(listener, key: key)
    let observation = SubstanceObservation(listener, among: listeners, key: key)
    register(observation, of: key)
    return observation
  }
}

extension Commit {
  /// Whether the commit changed the value at the path `rest`, which begins at the key with the index `index`.
  func isNestedChanged(under index: Int, rest: String) -> Bool {
    withStates { old, new in
      withLayout { $0.nestedChanged(under: index, rest: rest, old: old, new: new) }
    }
  }
}
