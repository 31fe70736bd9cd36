/// The result of reading an archive.
@_spi(Checks) public enum ArchiveReading<State: Sendable>: Sendable {
  /// There is no archive, so the initial state is the right state.
  case absent

  /// The state of the archive.
  case state(State)

  /// An archive may exist, but it cannot be read now. Nothing may be written over it.
  case unreadable(ArchiveError)

  /// The archive cannot be used. Its bytes were moved to the key `setAside`. If `setAside` is `nil`, the bytes could
  /// not be copied; they stay under their own key, and must not be overwritten.
  case corrupt(ArchiveError, setAside: String?)
}

@_spi(Checks) extension ArchiveReading {
  /// Why the archive cannot be used; `nil` if it was read, or if there is none.
  var error: ArchiveError? {
    switch self {
    case .absent, .state: nil
    case .unreadable(let error), .corrupt(let error, _): error
    }
  }

  /// The fault to report; and why nothing may be written over the archive, `nil` if it may.
  var consequences: (fault: ArchiveFault.Kind?, refusal: ArchiveError?) {
    switch self {
    case .absent, .state: (nil, nil)
    case .unreadable(let error): (.unreadable(error), error)
    case .corrupt(let error, let copy): (.corrupt(error, setAside: copy), copy == nil ? error : nil)
    }
  }
}
