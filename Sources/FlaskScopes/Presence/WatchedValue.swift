/// A value of a part, together with the part's presence.
package struct PresentValue<Value: Equatable & Sendable>: Equatable, Sendable {
  package let presence: PartPresence
  package let value: Value
}

/// A value in the states of a substance on which work depends. It does not retain the substance.
///
/// `@unchecked Sendable`:
/// - Invariant: the closures are constant, and capture key paths and parts, which are constant.
/// - If violated: a data race in the capture of a key path.
package struct WatchedValue<Value: Sendable>: @unchecked Sendable {
  package let cell: Cell
  /// Calls a handler on the performing thread with each commit that may have changed the value, until the observations
  /// end.
  package let observe: (_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation]
  /// The value in a state; `nil` if there is none.
  package let read: (UnsafeRawPointer) -> Value?

  package func map<Other: Sendable>(_ transform: @escaping (Value) -> Other?) -> WatchedValue<Other> {
    WatchedValue<Other>(cell: cell, observe: observe) { [read] in read($0).flatMap(transform) }
  }
}

extension Cell {
  /// Calls a handler, on the performing thread, with each commit that may have changed a value in a part, or the part's
  /// presence.
  ///
  /// - Parameter key: the key that contains the value, if no member of a container contains it.
  func watch<Part>(_ key: Int, of part: PartAccess<Part>, _ handler: @escaping (Commit) -> Void)
    -> [SubstanceObservation]
  {
    let listener = Listener(handler, isolation: .none)
    if let member = part.member {
      return [member.watch(.everything, listener, nil, ended: nil)] + part.watchPresence(handler)
    }
    listeners.add(listener, key: key)
    return [SubstanceObservation(listener, among: listeners, key: key)]
  }
}

extension Scope {
  /// The presence of the part.
  package var watchedPresence: WatchedValue<PartPresence> {
    WatchedValue(
      cell: cell,
      observe: { [part] handler in part.watchPresence(handler) },
      read: { [part] in part.isHidden ? nil : part.presence(in: $0) }
    )
  }

  /// The value at a key path, together with the presence of the part.
  package func watched<Value: Equatable & Sendable>(_ keyPath: KeyPath<Part, Value>)
    -> WatchedValue<PresentValue<Value>>
  {
    let place = PartPlace(of: keyPath, in: part, layout: cell.layout)
    let key = place.key
    return WatchedValue(
      cell: cell,
      observe: { [part, cell] handler in cell.watch(key, of: part, handler) },
      read: { [part] state in
        if place.isHidden { return nil }
        guard let presence = part.presence(in: state), let value = part.value(in: state) else { return nil }
        return PresentValue(presence: presence, value: value[keyPath: keyPath])
      }
    )
  }

  /// The presence of the content of an optional property, whether it is there now or not.
  package func watchedPresence<Inner: Sendable>(of keyPath: WritableKeyPath<Part, Inner?>)
    -> WatchedValue<PartPresence>
  {
    watchedPresence(of: OptionalContent<Inner>(), in: scope(whole: keyPath))
  }

  /// The presence of a member of a container, whether it is there now or not.
  func watchedPresence<M: Membership>(of membership: M, in container: Scope<M.Container>)
    -> WatchedValue<PartPresence>
  {
    let part = container.part
    let node = MemberNode(identityHash: 0, place: 0)
    return WatchedValue(
      cell: cell,
      observe: { [part, cell] handler in cell.watch(part.key, of: part, handler) },
      read: { state in
        if part.isHidden { return nil }
        guard let presence = part.presence(in: state), let value = part.value(in: state) else { return nil }
        return membership.find(in: value, near: node).map { presence.adding($0.member, of: M.self) }
      }
    )
  }
}

extension Scope {
  /// The presence of the payload of a case of an enum property, whether it is of that case now or not.
  package func watchedPresence<Root: Sendable, Payload: Sendable>(
    of keyPath: WritableKeyPath<Part, Root>,
    case make: @escaping @Sendable (Payload) -> Root,
    at place: SourcePlace
  ) -> WatchedValue<PartPresence>? {
    if !canRead(Payload.self, of: Root.self, at: place) { return nil }
    return watchedPresence(of: CaseContent(enumCase: EnumCase(make)), in: scope(keyPath))
  }

  /// The presence of the payload of a case of an optional enum property.
  package func watchedPresence<Root: Sendable, Payload: Sendable>(
    ofOptional keyPath: WritableKeyPath<Part, Root?>,
    case make: @escaping @Sendable (Payload) -> Root,
    at place: SourcePlace
  ) -> WatchedValue<PartPresence>? {
    if !canRead(Payload.self, of: Root.self, at: place) { return nil }
    return watchedPresence(of: OptionalCaseContent(enumCase: EnumCase(make)), in: scope(whole: keyPath))
  }

  /// That an enum property is of the case of a value without a payload.
  package func watchedPresence<Root: Sendable>(of keyPath: WritableKeyPath<Part, Root>, case value: Root)
    -> WatchedValue<PartPresence>
  {
    let part = scope(keyPath).part
    let whole = scope(keyPath).watchedPresence
    return WatchedValue(
      cell: cell,
      observe: { [part, cell] handler in cell.watch(part.key, of: part, handler) },
      read: { state in
        guard let presence = whole.read(state), let present = part.value(in: state) else { return nil }
        return TypeRecord.areEqual(present, value) ? presence : nil
      }
    )
  }
}
