/// The result of a substance's answer to a mixer or an action.
package enum MixerAnswer {
  case reacted
  case aborted
  case failed(any Error)
}

/// The mixer or action that a reactive substance is asked to answer.
package struct MixerRequest: Sendable {
  let key: MixerKey
  let payload: FluxPayload?
  /// The typed action; `nil` if a mixer is requested. The protocol of actions is declared in another module.
  package var action: (any Sendable)?

  package init(key: MixerKey, payload: FluxPayload?, action: (any Sendable)? = nil) {
    self.key = key
    self.payload = payload
    self.action = action
  }
}

/// One call of `defineMixers()`, which either collects the mixers or answers one of them. Used only during that call.
///
/// `@unchecked Sendable`:
/// - Isolation: `thread`, which each function checks; tasks that are started in the meantime inherit a reference, and
///   cannot use it.
/// - If violated: the fault `defineOutsideDefineMixers`.
final class MixerDefinitions: @unchecked Sendable {
  /// The call of `defineMixers()` that is in progress in this task, or on this thread.
  @TaskLocal static var current: MixerDefinitions?

  private let substance: ObjectIdentifier
  private let request: MixerRequest?
  private let thread = ThreadIdentity.current
  private var isOpen = true
  private(set) var defined: [MixerKey] = []
  private(set) var answer: MixerAnswer?

  private init(_ substance: AnySubstance, _ request: MixerRequest?) {
    self.substance = ObjectIdentifier(substance)
    self.request = request
  }

  /// The mixers that `define` defines.
  static func keys(of substance: AnySubstance, _ define: () -> Void) -> [MixerKey] {
    let definitions = MixerDefinitions(substance, nil)
    definitions.perform(define)
    return definitions.defined
  }

  /// The answer of the substance to the requested mixer or action; `nil` if `define` has no definition for it.
  static func answer(to request: MixerRequest, of substance: AnySubstance, _ define: () -> Void)
    -> MixerAnswer?
  {
    let definitions = MixerDefinitions(substance, request)
    definitions.perform(define)
    return definitions.answer
  }

  private func perform(_ define: () -> Void) {
    MixerDefinitions.$current.withValue(self, operation: define)
    isOpen = false
  }

  /// The result of a definition.
  enum Outcome { case taken, twice, outside }

  /// Handles one definition of a mixer. While the mixers of `substance` are collected, it is recorded. Otherwise
  /// `answer` is called if this mixer is requested.
  func define(_ key: MixerKey, of substance: AnySubstance, _ answer: (MixerRequest) -> MixerAnswer) -> Outcome
  {
    guard thread == ThreadIdentity.current, self.substance == ObjectIdentifier(substance), isOpen else {
      return .outside
    }
    guard let request else {
      if defined.contains(key) { return .twice }
      defined.append(key)
      return .taken
    }
    if self.answer == nil && request.key == key {
      // While `answer` runs, mixers cannot be defined. Otherwise a definition inside of a definition could call itself
      // endlessly.
      isOpen = false
      self.answer = answer(request)
      isOpen = true
    }
    return .taken
  }
}
