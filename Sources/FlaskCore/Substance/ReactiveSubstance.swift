public import FlaskArchive

/// A substance that also reacts to global mixers, for as long as it lives, with or without a reactor.
///
/// ```swift
/// enum EnvMixers: SubstanceMixer { case Login }
///
/// class App: ReactiveSubstance<AppState, EnvMixers> {
///   override func defineMixers() {
///     define(mix: .Login) { payload, react, abort in
///       self.prop.counter += 1
///       react()
///     }
///   }
/// }
/// ```
///
/// `defineMixers()` is called once when the substance is made, to learn which mixers there are, and again each time one of
/// them is performed; no closure is ever stored, so a closure that captures `self` keeps nothing alive.
open class ReactiveSubstance<S: State, M: RawRepresentable>: Substance<S>, @unchecked Sendable
where M.RawValue == SubstanceMixer {
  /// Lock by the flux: touched by the initialiser, then only by the performer.
  private var pass = MixerPass.none
  private var defined: [MixerKey] = []

  /// A reactive substance with the initial state `S()`. See `Substance.init` for the parameters.
  public override init(
    name: String? = nil,
    archive: Bool = false,
    in backend: (any ArchiveBackend)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    super.init(name: name, archive: archive, in: backend, fileID: fileID, line: line)
    pass = .registering(on: ThreadIdentity.current)
    defineMixers()
    pass = .none
    core.flux.mixers.add(self, for: defined)
  }

  deinit { core.flux.mixers.removeOne(for: defined) }

  /// To be overridden: calls `define(mix:)` once for each mixer that this substance reacts to, and does nothing else.
  open func defineMixers() {}

  /// Says how this substance reacts to `mixer`. Only inside `defineMixers()`.
  ///
  /// The closure runs on the thread that performs the mixer, inside the operation: it changes `self.prop`, and ends in
  /// exactly one `react()` or `abort()`. An `abort()`, an error thrown, or neither of the two calls (a fault) discards
  /// the whole operation, the drafts of other substances included.
  ///
  /// - Parameters:
  ///   - mixer: the case of the enum.
  ///   - body: receives the payload, `react` and `abort`.
  public final func define(
    mix mixer: M,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ payload: FluxPayload?, _ react: () -> Void, _ abort: () -> Void) throws -> Void
  ) {
    let place = SourcePlace(fileID, line)
    meet(MixerKey(mixer), named: mixer.rawValue, at: place) { answer($0, place, body) }
  }

  /// Notes a definition down, or answers the call if it is the one.
  final func meet(
    _ key: MixerKey,
    named mixer: @autoclosure () -> String,
    at place: SourcePlace,
    _ answer: (MixerCall) -> MixerAnswer
  ) {
    switch pass {
    case .registering(ThreadIdentity.current):
      if defined.contains(key) {
        report(
          .mixerDefinedTwice,
          "\(name()) defines the mixer \(mixer()) twice; the first definition counts",
          at: place
        )
      } else {
        defined.append(key)
      }
    case .answering(let call, nil, ThreadIdentity.current):
      if call.key == key {
        // While the body runs nothing can be defined; one that tries could call itself without end.
        pass = .none
        let answer = answer(call)
        pass = .answering(call, answer, on: ThreadIdentity.current)
      }
    case .answering(_, .some, ThreadIdentity.current): break
    default:
      report(
        .defineOutsideDefineMixers,
        "\(name()) defines the mixer \(mixer()) outside `defineMixers()`; override that method and define it there",
        at: place
      )
    }
  }

  /// Whether `defineMixers()` has defined it.
  final func defines(_ key: MixerKey) -> Bool { defined.contains(key) }

  override final func mix(_ action: any FluxAction, in pass: borrowing FluxPass) throws {
    try answer(action, in: pass)
  }

  override final func answer(_ call: MixerCall) -> MixerAnswer {
    pass = .answering(call, nil, on: ThreadIdentity.current)
    defineMixers()
    defer { pass = .none }
    guard case .answering(_, let answer?, _) = pass else { return .reacted }
    return answer
  }

  private func answer(
    _ call: MixerCall,
    _ place: SourcePlace,
    _ body: (_ payload: FluxPayload?, _ react: () -> Void, _ abort: () -> Void) throws -> Void
  ) -> MixerAnswer {
    var calls: [MixerAnswer] = []
    do {
      try body(call.payload, { calls.append(.reacted) }, { calls.append(.aborted) })
    } catch {
      return .failed(error)
    }
    if calls.count > 1 {
      report(
        .mixerResolvedTwice,
        "the mixer \(call.key.name) of \(name()) was resolved \(calls.count) times; call `react()` or `abort()` once",
        at: place
      )
    }
    guard let first = calls.first else {
      report(
        .mixerNotResolved,
        "the mixer \(call.key.name) of \(name()) called neither `react()` nor `abort()`; it was discarded",
        at: place
      )
      return .aborted
    }
    return first
  }
}
