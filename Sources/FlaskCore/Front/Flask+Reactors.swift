extension Flask {
  /// Attaches a reactor to `owner`. The reactor calls `flaskReactions(reaction:)` of the owner on the isolation of this
  /// call.
  ///
  /// The owner is referenced weakly; once it is deallocated the reactor is unbound and released. An owner has one
  /// attached reactor: attaching again replaces it, and is a fault.
  @discardableResult
  public static func attachReactor<Owner: FlaskReactor>(
    to owner: Owner,
    mixing substances: [AnySubstance],
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    let location = SourcePlace(fileID, line)
    let previous = ReactorManager.reactors(of: owner).filter { $0.callsOwner && $0.anyOwner != nil }
    if !previous.isEmpty {
      Flux.current.report(
        .reactorReplaced,
        "\(Owner.self) had a reactor, which the new one replaces; attach once, to all its substances, or detach first",
        at: location
      )
      ReactorManager.release(previous)
    }
    return makeReactor(owner, substances, isolation, location, callsOwner: true) { reactor, isolation in
      reactor.setHandler({ owner, reaction in owner.flaskReactions(reaction: reaction) }, on: isolation)
    }
  }

  /// Attaches a reactor over one substance to `owner`. For several substances, and for the rules, see
  /// `attachReactor(to:mixing:)`.
  @discardableResult
  public static func attachReactor<Owner: FlaskReactor>(
    to owner: Owner,
    mixing substance: AnySubstance,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    attachReactor(to: owner, mixing: [substance], isolation: isolation, fileID: fileID, line: line)
  }

  /// Attaches a reactor to an actor. The reactor calls `flaskReactions(reaction:)` on the actor. This function may be
  /// called on any isolation.
  @discardableResult
  public static func attachReactor<Owner: FlaskReactorActor>(
    to owner: Owner,
    mixing substances: [AnySubstance],
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    let location = SourcePlace(fileID, line)
    return makeReactor(owner, substances, owner, location, callsOwner: true) { reactor, isolation in
      // `assumeIsolated` is safe, since the handler is only called on the actor.
      reactor.setHandler(
        { owner, reaction in owner.assumeIsolated { $0.flaskReactions(reaction: reaction) } },
        on: isolation
      )
    }
  }

  /// Attaches a reactor over one substance to an actor. See `attachReactor(to:mixing:)` for several.
  @discardableResult
  public static func attachReactor<Owner: FlaskReactorActor>(
    to owner: Owner,
    mixing substance: AnySubstance,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    attachReactor(to: owner, mixing: [substance], fileID: fileID, line: line)
  }

  /// Returns a bound reactor without a handler, for an owner of any class. Set its `handler`.
  ///
  /// The owner is referenced weakly; the reactor lives as long as the owner does. An owner may have several reactors.
  @discardableResult
  public static func reactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substances: [AnySubstance],
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    makeReactor(owner, substances, isolation, SourcePlace(fileID, line)) { _, _ in }
  }

  /// Returns a bound reactor over one substance, without a handler. For several substances, and for the rules, see
  /// `reactor(attachedTo:mixing:)`.
  @discardableResult
  public static func reactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substance: AnySubstance,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    reactor(attachedTo: owner, mixing: [substance], isolation: isolation, fileID: fileID, line: line)
  }

  /// A reactor with its handler. The handler has the isolation of the place where it is written: on the main actor or
  /// in an actor it may use the state of that actor.
  ///
  /// The handler is held for as long as the owner lives. So the handler uses the owner that it is passed: a handler
  /// that captures `self` keeps its owner, and itself, for ever. An actor that adopts `FlaskReactorActor` needs no
  /// handler.
  ///
  /// ```swift
  /// Flask.reactor(attachedTo: self, mixing: [feed]) { owner, reaction in
  ///   reaction.on(\FeedState.items) { owner.show($0.new) }
  /// }
  /// ```
  @available(swift, introduced: 6)
  @discardableResult
  public static func reactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substances: [AnySubstance],
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext handler: @escaping Reactor<Owner>.Handler
  ) -> Reactor<Owner> {
    makeReactor(owner, substances, isolation, SourcePlace(fileID, line)) { reactor, _ in
      reactor.handler = handler
    }
  }

  /// Returns a bound reactor over one substance, with its handler. For several substances, and for the rules, see
  /// `reactor(attachedTo:mixing:handler:)`.
  @available(swift, introduced: 6)
  @discardableResult
  public static func reactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substance: AnySubstance,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext handler: @escaping Reactor<Owner>.Handler
  ) -> Reactor<Owner> {
    reactor(
      attachedTo: owner,
      mixing: [substance],
      isolation: isolation,
      fileID: fileID,
      line: line,
      handler: handler
    )
  }

  /// Returns the reactor that `attachReactor` made for `owner`; otherwise the last reactor that `reactor(attachedTo:)`
  /// made for this owner.
  ///
  /// If the owner has no reactor, a fault is reported. The result is then a reactor without substances, whose mixes
  /// abort. The result is an `AnyReactor`, since a subclass may ask for the reactor that its base class attached.
  public static func getReactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyReactor {
    if let reactor = ReactorManager.reactor(of: owner) { return reactor }
    Flux.current.report(
      .noReactor,
      "\(Owner.self) has no reactor, so what it mixes is aborted; call `attachReactor(to:mixing:)` first",
      at: SourcePlace(fileID, line)
    )
    return Reactor(owner: owner, members: .missing, isolation: nil)
  }

  /// Unbinds and releases the reactors of `owner` now. An owner that has none is a fault.
  public static func detachReactor<Owner: AnyObject>(
    from owner: Owner,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let reactors = ReactorManager.reactors(of: owner)
    if reactors.isEmpty {
      Flux.current.report(
        .nothingToDetach,
        "\(Owner.self) has no reactor to detach; it was never attached, or is detached already",
        at: SourcePlace(fileID, line)
      )
    }
    ReactorManager.release(reactors)
  }

  /// Unbinds and releases every reactor of the process.
  public static func purgeFlasks() { ReactorManager.purgeAll() }

  private static func makeReactor<Owner: AnyObject>(
    _ owner: Owner,
    _ substances: [AnySubstance],
    _ isolation: (any Actor)?,
    _ location: SourcePlace,
    callsOwner: Bool = false,
    preparing prepare: (Reactor<Owner>, HandlerIsolation) -> Void
  ) -> Reactor<Owner> {
    if substances.isEmpty {
      Flux.current.report(
        .reactorWithoutSubstances,
        "the reactor of \(Owner.self) mixes no substance, so it never reacts; name one",
        at: location
      )
    }
    let reactor = Reactor(
      owner: owner,
      members: ReactorMembers(substances, at: location),
      isolation: isolation,
      callsOwner: callsOwner
    )
    ReactorManager.add(reactor, of: owner)
    if let observer = Liveness.observer, let subject = reactor.members.subjects.first {
      let name = reactor.substanceNames.joined(separator: ", ")
      observer.didMake(
        reactor,
        .reactor,
        in: subject.flux,
        at: location,
        name: name,
        type: nil,
        holder: Owner.self
      )
    }
    prepare(reactor, HandlerIsolation(isolation))
    reactor.bind()
    return reactor
  }
}
