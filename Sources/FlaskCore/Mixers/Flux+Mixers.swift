extension Flux {
  /// Applies the mixer to every living reactive substance of this flux that defines it. See
  /// `Flask.substances(reactTo:payload:)`.
  func apply(_ key: MixerKey, payload: FluxPayload?, with options: MixOptions) -> FluxReceipt {
    #if DEBUG
      let isKnown = mixers.isDefined(anyOf: key.type) || mixers.observers.isObserved(anyOf: key.type)
      if !isKnown && once.isFirst(.mixerUndefined, key.type) {
        report(
          .mixerWithoutSubstance,
          "the mixer \(key.name) was applied, and no living substance of the flux defines any of its enum, so nothing happens; "
            + "define it in `defineMixers()`, or keep the substance alive",
          at: options.place
        )
      }
    #endif
    let request = MixerRequest(key: key, payload: payload)
    return submit(.mixer(request, in: self, at: options.place), isolation: options.isolation)
  }

  /// Pauses this flux and performs `mixer` on it. The mixer is performed before all queued operations that came without
  /// a lock, although the flux is paused. The reactions carry the lock as `onLock`, for a reactor to release.
  ///
  /// - Parameters:
  ///   - mixer: a case of an enum of global mixers. If no living substance defines it, and `autorelease` is `false`, a
  ///     fault is reported, since the lock would never be released.
  ///   - payload: passed to the mixer closures.
  ///   - autorelease: whether the lock is released automatically if the mixer changes no key, aborts or fails.
  ///   - timeout: the time after which the lock is released and a fault is reported; `nil` for no limit.
  ///   - clock: the clock of the timeout; the system's clock by default.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  @discardableResult
  public func lock<M: RawRepresentable>(
    withMixer mixer: M,
    payload: FluxPayload? = nil,
    autorelease: Bool = false,
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock where M.RawValue == SubstanceMixer {
    let options = MixOptions(isolation, fileID, line)
    let lock = FluxLock(flux: self, isAutoreleasing: autorelease, location: options.place)
    let key = MixerKey(mixer)
    if !autorelease && mixers.substances(defining: key).isEmpty {
      report(
        .lockWithoutListener,
        "the flux is locked with the mixer \(key.name), which no living substance defines, so it will never be released; "
          + "pass `autorelease: true`, or define the mixer",
        at: lock.location
      )
    }
    self.lock(
      lock,
      timeout: timeout,
      clock: clock,
      performing: .mixer(MixerRequest(key: key, payload: payload), in: self, at: options.place),
      isolation: options.isolation
    )
    return lock
  }
}
