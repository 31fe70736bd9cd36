extension Scope {
  /// Whether the part exists: `false` only for removed members of containers. May be read on any thread.
  public var isPresent: Bool {
    if part.isContained { noteReading(part.key, inMember: .max) }
    return isPresentUntracked
  }

  var isPresentUntracked: Bool {
    if !part.isContained { return true }
    let box = cell.pinForReading()
    defer { box.unpin() }
    return part.value(in: UnsafeRawPointer(box.address)) != nil
  }

  /// Calls `handler` after each commit that changed the value at a key path of the part, for as long as the observation
  /// is retained and the part exists.
  ///
  /// ```swift
  /// let token = profile.observe(\.name) { old, new in print(old, "→", new) }
  /// ```
  /// As `TypedSubstance.observe(_:_:)` for the isolation and the order. The observers of members of one container are
  /// notified in the order in which they were added. All of them are notified at the position of the first one. When
  /// the member is removed the observation has ended, even if it is inserted again; the removal itself is not reported
  /// here, but by `observePresence(_:)`.
  ///
  /// - Parameters:
  ///   - keyPath: of the part.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives the value before and after the commit. In clients in Swift 5 mode it need not be `Sendable`.
  @available(swift, introduced: 6)
  public func observe<Value>(
    _ keyPath: KeyPath<Part, Value>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    let isolation = HandlerIsolation(handler.isolation ?? isolation)
    let place = PartPlace(of: keyPath, in: part, layout: cell.layout)
    if place.isHidden { return ended }
    if let offset = place.offset {
      return cell.observe(
        key: place.key,
        on: isolation,
        Listener.states { old, new in
          plain(
            (old + offset).assumingMemoryBound(to: Value.self).pointee,
            (new + offset).assumingMemoryBound(to: Value.self).pointee
          )
        }
      )
    }
    let comparison = ElementComparison(of: Value.self)
    let notify: MemberHandler
    if part.isMember, let offset = StateLayout.offset(of: keyPath) {
      // If the observed value is stored in the memory of the member, it is compared and read there. This fast path does
      // not copy the member.
      notify = { old, new in
        let old = old + offset
        let new = new + offset
        if comparison.areEqual(old, new) { return }
        plain(
          old.assumingMemoryBound(to: Value.self).pointee,
          new.assumingMemoryBound(to: Value.self).pointee
        )
      }
    } else {
      notify = { old, new in
        let old = old.assumingMemoryBound(to: Part.self).pointee[keyPath: keyPath]
        let new = new.assumingMemoryBound(to: Part.self).pointee[keyPath: keyPath]
        let areEqual = withUnsafePointer(to: old) { old in
          withUnsafePointer(to: new) { comparison.areEqual(old, $0) }
        }
        if !areEqual { plain(old, new) }
      }
    }
    return observe(place.key, on: isolation, notify: notify) { [part] old, new in
      guard let old = part.value(in: old), let new = part.value(in: new) else { return }
      let oldValue = old[keyPath: keyPath]
      let newValue = new[keyPath: keyPath]
      if !TypeRecord.areEqual(oldValue, newValue) { plain(oldValue, newValue) }
    }
  }

  /// Calls `handler` after each commit that changed the part, for as long as the observation is retained and the part
  /// exists. See `observe(_:_:)`.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives the part before and after the commit. In clients in Swift 5 mode it need not be `Sendable`.
  @available(swift, introduced: 6)
  public func observe(
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ old: Part, _ new: Part) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    return observe(on: HandlerIsolation(handler.isolation ?? isolation), plain)
  }

  /// Calls `handler` with the changes of the elements of a list in the part, after each commit that changed any of
  /// them. For the changes see `TypedSubstance.observe(elements:_:)`. For the end of the observation see
  /// `observe(_:_:)`.
  @available(swift, introduced: 6)
  public func observe<Elements: Collection & Sendable>(
    elements keyPath: WritableKeyPath<Part, Elements>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ changes: ElementChanges<Elements.Element>) -> Void
  ) -> SubstanceObservation where Elements.Element: Identifiable {
    let plain = PlainFunction.of(handler)
    return scope(keyPath).observe(
      on: HandlerIsolation(handler.isolation ?? isolation),
      { old, new in
        let changes = ElementChanges(from: old, to: new)
        if !changes.isEmpty { plain(changes) }
      }
    )
  }

  /// Calls `handler` after each commit that removed or inserted the part, for as long as the observation is retained.
  /// For a part that always exists, `handler` is never called.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives whether the part exists after the commit.
  @available(swift, introduced: 6)
  public func observePresence(
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ isPresent: Bool) -> Void
  ) -> SubstanceObservation {
    guard let member = part.member else { return ended }
    let plain = PlainFunction.of(handler)
    let listener = Listener(
      Listener.states { [part] _, new in plain(part.value(in: new) != nil) },
      isolation: HandlerIsolation(handler.isolation ?? isolation)
    )
    return member.watch(.presence, listener, nil, ended: nil)
  }

  /// Calls `handler` after each commit that changed the part.
  func observe(
    on isolation: HandlerIsolation,
    _ handler: @escaping (Part, Part) -> Void
  ) -> SubstanceObservation {
    if part.isHidden { return self.ended }
    let notify: MemberHandler = { old, new in
      handler(
        old.assumingMemoryBound(to: Part.self).pointee,
        new.assumingMemoryBound(to: Part.self).pointee
      )
    }
    return observe(part.key, on: isolation, notify: notify) { [part] old, new in
      guard let old = part.value(in: old), let new = part.value(in: new) else { return }
      if part.offset != nil || !TypeRecord.areEqual(old, new) { handler(old, new) }
    }
  }

  /// - Parameter notify: calls the handler with the addresses of the part. Called instead of `handler` if the part is a
  ///   member of a container and these addresses are known.
  private func observe(
    _ key: Int,
    on isolation: HandlerIsolation,
    notify: @escaping MemberHandler,
    _ handler: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Void
  ) -> SubstanceObservation {
    guard let member = part.member else {
      return cell.observe(key: key, on: isolation, Listener.states(handler))
    }
    let observation = member.watch(
      .content,
      Listener(Listener.states(handler), isolation: isolation),
      part.isMember ? notify : nil,
      ended: nil
    )
    if !isPresentUntracked { observation.cancel() }
    return observation
  }

  /// An observation that has ended.
  var ended: SubstanceObservation {
    SubstanceObservation(nil, among: cell.listeners, key: 0)
  }
}
