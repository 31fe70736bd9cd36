import FlaskCore

extension Substance {
  /// Mixes through a chain whose reactor is released afterwards.
  @discardableResult
  func change(_ body: @escaping @Sendable (Substance<S>) throws -> Void) -> FluxReceipt {
    let owner = Owner()
    return Flask.reactor(attachedTo: owner, mixing: [self]).mix(self, body).react(isolation: nil)
  }
}
