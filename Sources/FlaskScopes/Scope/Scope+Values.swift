internal import FlaskPrimitives

extension Scope {
  /// The part as a sequence: what is there, then what each commit makes of it; a slow reader gets the newest.
  ///
  /// It ends with the task that reads it, and when what the scope leads to is gone. It holds the substance, as the
  /// scope does.
  public func values() -> StateValues<Part> {
    StateValues { [self] buffer in
      if part.isHidden {
        guard isPresentUntracked else { return nil }
        buffer.append(value)
        return ended
      }
      var isThere = true
      // The end comes after the value that the sequence begins with.
      let phase = Lock((isBegun: false, isEnded: false))
      let observation = substance.participant.listenFromNow(
        to: part.key,
        on: .none,
        hint: .none,
        adding: part.member.map { member in
          let end: @Sendable () -> Void = {
            let isBegun = phase.withLock { phase in
              phase.isEnded = true
              return phase.isBegun
            }
            if isBegun { buffer.finish() }
          }
          return { member.watch(.content, $0, nil, ended: end) }
        },
        begin: { state in
          if let value = part.value(in: state) { buffer.append(value) } else { isThere = false }
        },
        // Holds the scope, and with it the substance, until the reader goes.
        .states { old, new in
          guard let old = self.part.value(in: old), let new = self.part.value(in: new) else { return }
          if self.part.offset != nil || !StateDiff.areEqual(old, new) { buffer.append(new) }
        }
      )
      let isEnded = phase.withLock { phase in
        phase.isBegun = true
        return phase.isEnded
      }
      if isEnded { buffer.finish() }
      if isThere { return observation }
      observation.cancel()
      return nil
    }
  }

  /// What a key path leads to in the part, as a sequence. See `values()`.
  public func values<Value: Sendable>(of keyPath: WritableKeyPath<Part, Value>) -> StateValues<Value> {
    scope(keyPath).values()
  }
}
