@_spi(FlaskInternals) internal import FlaskDiff

extension AnySubstance {
  /// Calls `handler` after each commit that changed `key`, for as long as the observation is held.
  ///
  /// Observers are found by key: one that does not care costs a commit nothing. They are told after the reactors, in the order of
  /// the keys' declaration, and of one key in the order in which they were made; on the isolation that `observe` was called
  /// from, as reactors are.
  ///
  /// - Parameters:
  ///   - key: the name of a property; nested ones with dots, through structs, optionals and dictionaries. One that the state
  ///     does not have is a fault, and is never told.
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where a fault is reported at; leave it out.
  ///   - line: the line in that file; leave it out.
  ///   - handler: receives the change with its old and new value. In clients in Swift 5 mode it need not be `Sendable`.
  @available(swift, introduced: 6)
  public final func observe(
    _ key: String,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (SubstanceChange) -> Void
  ) -> SubstanceObservation {
    // See `Reactor.handler`: it is only called on its isolation.
    let plain = unsafeBitCast(handler, to: ((SubstanceChange) -> Void).self)
    let isolation = handler.isolation ?? isolation
    switch core.layout.lookup(key) {
    case .key(let index):
      return observe(key: index, on: isolation) { record in
        plain(SubstanceChange(record: record, index: index, nested: nil))
      }
    case .nested(let index, let rest):
      let nested = SubstanceChange.NestedKey(path: key, rest: rest)
      return observe(key: index, on: isolation) { record in
        let isChanged = record.withStates { old, new in
          record.withLayout { $0.nestedChanged(under: index, rest: rest, old: old, new: new) }
        }
        if isChanged { plain(SubstanceChange(record: record, index: index, nested: nested)) }
      }
    case .unknown:
      report(
        .unknownKey,
        "\(name()) has no key `\(key)`; it has \(keys.joined(separator: ", "))",
        at: SourcePlace(fileID, line)
      )
      return SubstanceObservation(of: self, key: 0, listener: nil)
    }
  }

  /// Observes the key named by a case of the state's `prop`. See `observe(_:_:)` for strings.
  @available(swift, introduced: 6)
  public final func observe<Key: RawRepresentable>(
    _ key: Key,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (SubstanceChange) -> Void
  ) -> SubstanceObservation where Key.RawValue == StateProp {
    observe(key.rawValue, isolation: isolation, fileID: fileID, line: line, handler)
  }

  /// Adds an observer of a key, or of everything (-1).
  final func observe(
    key: Int,
    on isolation: (any Actor)?,
    _ handle: @escaping (ReactionRecord) -> Void
  ) -> SubstanceObservation {
    observe(key: key, on: isolation, .observer(handle))
  }

  /// Adds an observer of a key, or of everything (-1), that is handed the addresses of the old and the new state, which stay
  /// as they are during the call.
  @usableFromInline
  final func observe(
    key: Int,
    on isolation: (any Actor)?,
    _ handle: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Void
  ) -> SubstanceObservation {
    observe(key: key, on: isolation, .stateObserver(handle))
  }

  private func observe(
    key: Int,
    on isolation: (any Actor)?,
    _ handler: ReactionHandler
  ) -> SubstanceObservation {
    let listener = ReactionListener(
      of: nil,
      members: ReactorMembers([self]),
      mailbox: ReactionMailbox(),
      isolation: isolation,
      isIsolated: isolation != nil,
      handler: handler
    )
    core.audience.add(listener, key: key)
    return SubstanceObservation(of: self, key: key, listener: listener)
  }
}
