internal import FlaskPrimitives

extension Scope {
  /// Returns the part as a sequence: the current value, then the new value after each commit that changed it. A slow
  /// reader gets only the newest value.
  ///
  /// The sequence ends when the task that reads it ends, when the substance is deallocated, or when the part no longer
  /// exists. The sequence does not retain the substance.
  public func values() -> StateValues<Part> {
    StateValues { [part, cell = cell] buffer in
      // If the part is removed before the first value was delivered, the sequence ends after that value.
      let phase = Lock((isBegun: false, isEnded: false))
      let end: @Sendable () -> Void = {
        let isBegun = phase.withLock { phase in
          phase.isEnded = true
          return phase.isBegun
        }
        if isBegun { buffer.finish() }
      }
      var isThere = true
      let observation = cell.observation(endedBy: end) { _ in
        let observation = cell.listenFromNow(
          to: part.key,
          on: .none,
          callerIsolation: .none,
          subjectIsGone: end,
          adding: part.member.map { member in { member.watch(.content, $0, nil, ended: end) } },
          begin: { state in
            if let value = part.value(in: state) { buffer.append(value) } else { isThere = false }
          },
          Listener.states { old, new in
            guard !part.isHidden, let old = part.value(in: old), let new = part.value(in: new) else { return }
            if part.offset != nil || !TypeRecord.areEqual(old, new) { buffer.append(new) }
          }
        )
        // The end of the substance must be observed separately, since the listener of a member is notified only of
        // changes of the member.
        if part.member != nil { observation.hold(cell.whenGone(end)) }
        return observation
      }
      let isEnded = phase.withLock { phase in
        phase.isBegun = true
        return phase.isEnded
      }
      if isEnded { buffer.finish() }
      if !isThere { observation?.cancel() }
      return isThere ? observation : nil
    }
  }

  /// The value at a key path of the part, as a sequence. See `values()`.
  public func values<Value: Sendable>(of keyPath: WritableKeyPath<Part, Value>) -> StateValues<Value> {
    scope(keyPath).values()
  }
}
