public import FlaskCore

extension Reactor {
  /// The closure that is called for each reaction, for clients in Swift 5 mode: it need not be `Sendable`. It runs on
  /// its own isolation, such as the main actor. Without one, it runs on the isolation from which the reactor was
  /// attached.
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

  /// Returns the handler with the type in which it is stored, without another closure around it: see
  /// `UncheckedSendable`.
  package static func handler(
    unchecked body: @escaping @isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void
  ) -> Handler {
    unsafeBitCast(UncheckedHandler(body: body), to: CheckedHandler.self).body
  }
}
