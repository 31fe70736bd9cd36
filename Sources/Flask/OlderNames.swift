// The spellings of older documentation. Each forwards to its successor; the file contains nothing else.

// MARK: Making substances

/// The older spelling of `Flask.newSubstance(definedBy:named:archive:)`.
@available(*, deprecated, renamed: "Flask.newSubstance(definedBy:named:archive:in:)")
public func NewSubstance<S: FlaskState>(
  definedBy state: S.Type,
  named name: String? = nil,
  archive: Bool = false,
  in backend: (any ArchiveBackend)? = nil,
  fileID: StaticString = #fileID,
  line: UInt = #line
) -> Substance<S> {
  Flask.newSubstance(definedBy: state, named: name, archive: archive, in: backend, fileID: fileID, line: line)
}

// MARK: Substances

extension AnySubstance {
  /// Puts a text before the name: `name(as: prefix + name())`.
  @available(*, deprecated, renamed: "name(as:)")
  public func name(prefix: String) { name(as: prefix + name()) }

  /// Puts a text behind the name: `name(as: name() + suffix)`.
  @available(*, deprecated, renamed: "name(as:)")
  public func name(suffix: String) { name(as: name() + suffix) }
}

extension Substance {
  /// Returns to the captured state, and calls `completion` after that, in the flux. In Swift 5 mode, as Flask 1.x had
  /// it.
  @available(swift, obsoleted: 6)
  @available(*, deprecated, message: "await the `outcome` of `rollbackState()`")
  public func rollbackState(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ completion: @escaping () -> Void
  ) {
    rollbackState(isolation: isolation, fileID: fileID, line: line)
    let completion = UncheckedSendable.performing(completion)
    flux.performInFluxQueue(isolation: isolation, fileID: fileID, line: line, completion)
  }
}

// MARK: Finding and making reactors

extension Flask {
  /// The older spelling of `getReactor(attachedTo:)`.
  @available(*, deprecated, renamed: "getReactor(attachedTo:)")
  public static func getReactor<Owner: AnyObject>(
    at owner: Owner,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyReactor {
    getReactor(attachedTo: owner, fileID: fileID, line: line)
  }

  /// The older spelling of `reactor(attachedTo:mixing:)`.
  @available(*, deprecated, renamed: "reactor(attachedTo:mixing:)")
  public static func instance<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substances: [AnySubstance],
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    reactor(attachedTo: owner, mixing: substances, isolation: isolation, fileID: fileID, line: line)
  }

  /// The older spelling of `reactor(attachedTo:mixing:)`.
  @available(*, deprecated, renamed: "reactor(attachedTo:mixing:)")
  public static func instance<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substance: AnySubstance,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reactor<Owner> {
    reactor(attachedTo: owner, mixing: substance, isolation: isolation, fileID: fileID, line: line)
  }
}

// MARK: Reactors

/// The older name of `Reactor`.
@available(*, deprecated, renamed: "Reactor")
public typealias FlaskClass<Owner: AnyObject> = Reactor<Owner>

extension Reactor {
  /// The older name of `handler`.
  @available(swift, introduced: 6)
  @available(*, deprecated, renamed: "handler")
  public var reactor: Handler? {
    get { handler }
    set { handler = newValue }
  }

  /// The older name of `handler`, for clients in Swift 5 mode.
  @available(swift, obsoleted: 6)
  @available(*, deprecated, renamed: "handler")
  @_disfavoredOverload
  public var reactor: (@isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void)? {
    get {
      let handler: (@isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void)? = handler
      return handler
    }
    set {
      // No `map`, which puts a thunk around the closure each time.
      var handler: Handler?
      if let newValue { handler = Reactor.handler(unchecked: newValue) }
      self.handler = handler
    }
  }
}

// MARK: The reactor manager

/// The older name of `ReactorManager`.
@available(*, deprecated, renamed: "ReactorManager")
public typealias FlaskManager = ReactorManager

extension ReactorManager {
  /// The older name of `reactors`.
  @available(*, deprecated, renamed: "reactors")
  public static var flasks: [AnyReactor] { reactors }
}
