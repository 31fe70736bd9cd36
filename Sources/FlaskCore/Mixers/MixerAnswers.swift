/// Defines the mixers of a substance without a subclass. Call it once for each mixer.
///
/// Call it only inside of the closure that was passed to `ReactiveSubstance.init(_:name:_:)`; any other call is a
/// fault. Name the type where definitions get a function of their own:
///
/// ```swift
/// func defineLogin(on answers: MixerAnswers<Session>) {
///   answers(SessionMixers.logIn) { session, _ in session.isOpen = true }
/// }
/// ```
public struct MixerAnswers<S: Sendable> {
  /// Records a definition, or answers the request.
  package typealias Define = (
    MixerKey, _ name: String, SourcePlace, (inout S, MixerRequest) throws -> Void
  ) -> Void

  package let define: Define

  init<M>(_ substance: ReactiveSubstance<S, M>) {
    define = { key, name, location, body in
      substance.define(key, named: name, at: location) { request in
        let cell = substance.cell
        guard let draft = cell.beginWriting() else { return .aborted }
        defer { cell.endWriting() }
        do {
          try body(&draft.assumingMemoryBound(to: S.self).pointee, request)
          return .reacted
        } catch {
          return .failed(error)
        }
      }
    }
  }

  /// Defines how the substance reacts to a global mixer.
  ///
  /// - Parameters:
  ///   - mixer: a case of an enum of mixers.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: changes the draft that it is passed, on the thread that performs the mixer, inside the operation. An
  ///     error that it throws discards the whole operation, the drafts of other substances included.
  public func callAsFunction<M: RawRepresentable>(
    _ mixer: M,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout S, _ payload: FluxPayload?) throws -> Void
  ) where M.RawValue == SubstanceMixer {
    define(MixerKey(mixer), mixer.rawValue, SourcePlace(fileID, line)) { state, request in
      try body(&state, request.payload)
    }
  }
}
