extension Flask {
  /// A plain substance over the state `S`, to be mixed through a reactor.
  ///
  /// - Parameters:
  ///   - state: the type of the state.
  ///   - name: the name in messages, and of the archive; a substance without a name can't be archived.
  ///   - archive: whether the state is read from its archive now, and saved some time after each change.
  ///   - backend: where it is archived; `nil` for `Flask.defaultArchive`.
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

  /// Applies `mixer` to every living reactive substance that defines it, in one operation, in the order in which the
  /// substances were made. It may be called anywhere, on any thread. If no substance defines it, nothing happens. If no
  /// substance defines any mixer of its enum, a fault is reported in debug builds, once.
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
    Flux.current.apply(
      MixerKey(mixer),
      payload: payload,
      isolation: ActorIdentity(isolation),
      at: SourcePlace(fileID, line)
    )
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
