extension Flask {
  /// Returns a new substance over the state type `S`, without global mixers.
  ///
  /// - Parameters:
  ///   - state: the type of the state.
  ///   - name: the name in messages, and of the archive; a substance without a name can't be archived.
  ///   - archive: whether the state is read from its archive now, and saved some time after each change.
  ///   - backend: the backend of the archive; `nil` for `Flask.defaultArchive`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public static func newSubstance<S: FlaskState>(
    definedBy state: S.Type,
    named name: String? = nil,
    archive: Bool = false,
    in backend: (any ArchivePlace)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Substance<S> {
    Substance<S>(name: name, archive: archive, in: backend, fileID: fileID, line: line)
  }

  /// Applies `mixer` to every living reactive substance of the current flux that defines it. This is one operation, in
  /// the order in which the substances were made. It may be called on any thread. If no substance defines the mixer,
  /// nothing happens. If no substance defines any mixer of the same enum, a fault is reported in debug builds, once for
  /// each enum.
  ///
  /// - Parameters:
  ///   - mixer: a case of an enum of global mixers.
  ///   - payload: passed to the mixer closures.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  @discardableResult
  public static func substances<M: RawRepresentable>(
    reactTo mixer: M,
    payload: FluxPayload? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt where M.RawValue == SubstanceMixer {
    Flux.current.apply(MixerKey(mixer), payload: payload, with: MixOptions(isolation, fileID, line))
  }

  /// As `substances(reactTo:payload:)`.
  @available(swift, introduced: 6)
  @discardableResult
  public static func applyMixer<M: RawRepresentable>(
    _ mixer: M,
    payload: FluxPayload? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt where M.RawValue == SubstanceMixer {
    substances(reactTo: mixer, payload: payload, isolation: isolation, fileID: fileID, line: line)
  }
}
