extension Scope {
  /// The part as a sequence: what is there, then what each commit makes of it; a slow reader gets the newest.
  ///
  /// It ends with the task that reads it, and when what the scope leads to is gone. It holds the substance, as the
  /// scope does.
  public func values() -> StateValues<Part> {
    StateValues {
      guard isPresentUntracked else { return nil }
      return (value, substance.participant.committedVersion)
    } _: { next, end in
      observe(on: .none, { _, new in next(new) }, ended: end)
    }
  }

  /// What a key path leads to in the part, as a sequence. See `values()`.
  public func values<Value: Sendable>(of keyPath: WritableKeyPath<Part, Value>) -> StateValues<Value> {
    scope(keyPath).values()
  }
}
