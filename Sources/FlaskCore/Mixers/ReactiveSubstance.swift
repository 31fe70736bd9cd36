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
/// `defineMixers()` is called once when the substance is made, to collect its mixers, and again each time one of them
/// is performed. No closure is stored, so a closure that captures `self` keeps nothing alive.
open class ReactiveSubstance<S: Sendable, M: RawRepresentable>: Substance<S>, MixerResponder,
  @unchecked Sendable
where M.RawValue == SubstanceMixer {
  /// Set by the initialiser.
  private final var defined: [MixerKey] = []
  /// The closure that defines the mixers of a substance without a subclass. Set by the initialiser.
  private final var definition: (@Sendable (MixerAnswers<S>) -> Void)?

  /// A substance that reacts to global mixers, and to typed actions, without a subclass.
  ///
  /// ```swift
  /// let session = ReactiveSubstance(Session()) { on in
  ///   on(EnvMixers.Login) { state, payload in state.user = payload?["user"] as? String }
  ///   on(Rename.self) { state, action in state.title = action.title }
  /// }
  /// ```
  /// Equivalent to overriding `defineMixers()`: `define` is called when the substance is made, and again each time one
  /// of its mixers is performed. It is held by the substance, and gets no reference to it.
  ///
  /// - Parameters:
  ///   - initial: the initial state.
  ///   - name: names it in messages.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - define: calls its argument once for each mixer and each type of actions, and does nothing else.
  public convenience init(
    _ initial: S,
    name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ define: @escaping @Sendable (_ on: MixerAnswers<S>) -> Void
  ) where M == AnyMixer {
    self.init(initial, name: name, fileID: fileID, line: line)
    begin(define)
  }

  /// An archived substance that reacts to global mixers without a subclass. See `init(_:name:_:)`, and
  /// `Substance.init(_:name:archive:in:)` for the archive.
  public convenience init(
    _ initial: S,
    name: String? = nil,
    archive: Bool,
    in backend: (any ArchivePlace)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ define: @escaping @Sendable (_ on: MixerAnswers<S>) -> Void
  ) where M == AnyMixer, S: FlaskState {
    self.init(initial, name: name, archive: archive, in: backend, fileID: fileID, line: line)
    begin(define)
  }

  private func begin(_ define: @escaping @Sendable (MixerAnswers<S>) -> Void) {
    definition = define
    // If `defined` is not empty, a subclass overrides `defineMixers()`, and its mixers have been collected already.
    if defined.isEmpty { didInit() }
  }

  override class var classOfFlask: AnySubstance.Type { ReactiveSubstance<S, M>.self }

  /// Collects the mixers.
  final override func didInit() {
    defined = MixerDefinitions.keys(of: self) { defineMixers() }
    if !defined.isEmpty { flux.mixers.add(self, for: defined) }
  }

  deinit { if !defined.isEmpty { flux.mixers.removeOne(for: defined) } }

  /// Defines the mixers that this substance reacts to. An override calls `define(mix:)` once for each mixer, and does
  /// nothing else.
  open func defineMixers() { definition?(MixerAnswers(self)) }

  /// Defines how this substance reacts to `mixer`. Call it only inside `defineMixers()`.
  ///
  /// The closure runs on the thread that performs the mixer, inside of the operation. It changes `self.prop`, and must
  /// end with exactly one `react()` or `abort()`. An `abort()`, an error thrown, or neither of the two calls (a fault)
  /// discards the whole operation, the drafts of other substances included.
  ///
  /// - Parameters:
  ///   - mixer: the case of the enum.
  ///   - body: receives the payload, `react` and `abort`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public final func define(
    mix mixer: M,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ payload: FluxPayload?, _ react: () -> Void, _ abort: () -> Void) throws -> Void
  ) {
    let location = SourcePlace(fileID, line)
    define(MixerKey(mixer), named: mixer.rawValue, at: location) { resolve($0, location, body) }
  }

  /// Handles one definition of a mixer. While the mixers of this substance are collected, it is recorded. Otherwise it
  /// is performed if its mixer is requested.
  package final func define(
    _ key: MixerKey,
    named mixer: @autoclosure () -> String,
    at location: SourcePlace,
    _ answer: (MixerRequest) -> MixerAnswer
  ) {
    switch MixerDefinitions.current?.define(key, of: self, answer) ?? .outside {
    case .taken: break
    case .twice:
      report(
        .mixerDefinedTwice,
        "\(name()) defines the mixer \(mixer()) twice, and the first definition counts; remove one",
        at: location
      )
    case .outside:
      report(
        .defineOutsideDefineMixers,
        "\(name()) defines the mixer \(mixer()) outside `defineMixers()`; override that method and define it there",
        at: location
      )
    }
  }

  /// Whether `defineMixers()` has defined it.
  package final func defines(_ key: MixerKey) -> Bool { defined.contains(key) }

  package final func answer(_ request: MixerRequest) -> MixerAnswer {
    MixerDefinitions.answer(to: request, of: self) { defineMixers() } ?? .reacted
  }

  private func resolve(
    _ request: MixerRequest,
    _ location: SourcePlace,
    _ body: (_ payload: FluxPayload?, _ react: () -> Void, _ abort: () -> Void) throws -> Void
  ) -> MixerAnswer {
    var calls: [MixerAnswer] = []
    do {
      try body(request.payload, { calls.append(.reacted) }, { calls.append(.aborted) })
    } catch {
      return .failed(error)
    }
    if calls.count > 1 {
      report(
        .mixerResolvedTwice,
        "the mixer \(request.key.name) of \(name()) was resolved \(calls.count) times; call `react()` or `abort()` once",
        at: location
      )
    }
    guard let first = calls.first else {
      report(
        .mixerNotResolved,
        "the mixer \(request.key.name) of \(name()) called neither `react()` nor `abort()`, so it was discarded; "
          + "call one of them on every way out",
        at: location
      )
      return .aborted
    }
    return first
  }
}
