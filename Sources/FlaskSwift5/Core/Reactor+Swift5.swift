public import FlaskCore

extension Reactor {
  /// Called for each reaction, for clients in Swift 5 mode: it need not be `Sendable`. Runs on the isolation of the
  /// closure, which code of the main actor has, or else on the isolation from which the reactor was attached.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public var handler: (@isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void)? {
    get {
      let handler: Handler? = handler
      return handler
    }
    set {
      var handler: Handler?
      if let newValue { handler = Reactor.handler(unchecked: newValue) }
      self.handler = handler
    }
  }

  private struct UncheckedHandler { let body: @isolated(any) (Owner, FlaskReaction) -> Void }
  private struct CheckedHandler { let body: Handler }

  /// The handler in the form in which it is stored, without a closure around it: see `UncheckedSendable`.
  package static func handler(
    unchecked body: @escaping @isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void
  ) -> Handler {
    unsafeBitCast(UncheckedHandler(body: body), to: CheckedHandler.self).body
  }
}
