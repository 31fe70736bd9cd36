extension ReactiveSubstance: FluxWorker {
  /// Says how this substance answers a typed action. Only inside `defineMixers()`, beside global mixers.
  ///
  /// ```swift
  /// override func defineMixers() {
  ///   define(mix: Login.self) { action in self.prop.title = action.name }
  /// }
  /// ```
  /// The action may be dispatched with the default dispatcher of the flux, which reaches every living substance that defines it, or
  /// with a dispatcher that this substance is registered with. No closure is stored.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - body: changes `self.prop`, on the thread that performs the action, inside the operation. What it throws discards the
  ///     operation.
  public final func define<A: FluxAction>(
    mix type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ action: A) throws -> Void
  ) {
    meet(MixerKey(actionType: ObjectIdentifier(type)), named: "\(type)", at: SourcePlace(fileID, line)) {
      call in
      guard let action = call.action as? A else { return .aborted }
      do {
        try body(action)
        return .reacted
      } catch {
        return .failed(error)
      }
    }
  }

  /// Answers an action that `defineMixers()` defines, and hands it on.
  public final func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    let type = typeIdentifier(of: action)
    guard defines(MixerKey(actionType: type)) else { return .next() }
    pass.performer.actions.asked.insert(ActionWork.Asked(substance: ObjectIdentifier(self), type: type))
    try answer(action, in: pass)
    return .next()
  }

  final func answer(_ action: any FluxAction, in pass: borrowing FluxPass) throws {
    guard pass.enlist(self) else { return }
    let key = MixerKey(actionType: typeIdentifier(of: action))
    let call = MixerCall(flux: flux, key: key, payload: nil, action: action)
    if case .failed(let error) = answer(call) { throw error }
  }
}
