/// What a listener calls.
enum ReactionHandler {
  /// Nothing: a reactor without a handler keeps its place in the order, and is passed over.
  case none
  /// The handler of a reactor; false if the owner is gone.
  case reactor((ReactionRecord) -> Bool)
  case observer((ReactionRecord) -> Void)
  /// An observer that is handed the addresses of the old and the new state, which stay as they are during the call.
  case stateObserver((UnsafeRawPointer, UnsafeRawPointer) -> Void)

  var isNone: Bool {
    if case .none = self { true } else { false }
  }

  var isForStates: Bool {
    if case .stateObserver = self { true } else { false }
  }

  var stateHandler: (UnsafeRawPointer, UnsafeRawPointer) -> Void {
    if case .stateObserver(let handle) = self { handle } else { { _, _ in } }
  }

  var reactionHandler: (ReactionRecord) -> Bool {
    switch self {
    case .none, .stateObserver: return { _ in true }
    case .reactor(let handle): return handle
    case .observer(let handle):
      return { record in
        handle(record)
        return true
      }
    }
  }
}
