extension Reactor {
  /// Called for each reaction, for clients in Swift 5 mode: it need not be `Sendable`. Runs on the isolation of the
  /// closure if it has one, as it has when written in code of the main actor, else on that from which the reactor was
  /// attached.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public var handler: (@isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void)? {
    get {
      let handler: Handler? = handler
      return handler
    }
    set {
      guard let newValue else {
        let none: Handler? = nil
        return self.handler = none
      }
      let handler: Handler? = Reactor.handler(unchecked: newValue)
      self.handler = handler
    }
  }
}
