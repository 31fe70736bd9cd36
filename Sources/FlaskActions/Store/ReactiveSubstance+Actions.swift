extension ReactiveSubstance: AnsweringWorker {
  /// Defines the answer of this substance to a typed action. Only inside `defineMixers()`, as global mixers are.
  ///
  /// ```swift
  /// override func defineMixers() {
  ///   define(mix: Login.self) { action in self.prop.title = action.name }
  /// }
  /// ```
  /// The action may be dispatched with the default dispatcher of the flux, which reaches every living substance that
  /// defines it, or with a dispatcher that this substance is registered with. No closure is stored.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - body: changes `self.prop`, on the thread that performs the action, inside the operation. An error that it
  ///     throws discards the operation.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public final func define<A: FluxAction>(
    mix type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ action: A) throws -> Void
  ) {
    define(MixerKey(actionType: ObjectIdentifier(type)), named: "\(type)", at: SourcePlace(fileID, line)) {
      request in
      guard let action = request.action as? A else { return .aborted }
      do {
        try body(action)
        return .reacted
      } catch {
        return .failed(error)
      }
    }
  }

  /// Answers an action that `defineMixers()` defines. Passes the action on unchanged.
  public final func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    let type = typeIdentifier(of: action)
    guard defines(MixerKey(actionType: type)) else { return .next() }
    pass.withRoute { _ = $0.asked.insert(.init(substance: ObjectIdentifier(self), type: type)) }
    try pass.ask(self, action)
    return .next()
  }
}

extension MixerAnswers {
  /// Defines how the substance answers a typed action. For the dispatch of the action see
  /// `ReactiveSubstance.define(mix:_:)`.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: changes the draft that it is passed, on the thread that performs the action, inside the operation. An
  ///     error that it throws discards the operation.
  public func callAsFunction<A: FluxAction>(
    _ type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout S, _ action: A) throws -> Void
  ) {
    let key = MixerKey(actionType: ObjectIdentifier(type))
    define(key, "\(type)", SourcePlace(fileID, line)) { state, request in
      if let action = request.action as? A { try body(&state, action) }
    }
  }
}
