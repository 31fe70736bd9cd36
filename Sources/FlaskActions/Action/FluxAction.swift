/// An event or a request: a plain value that a dispatcher passes to its workers.
///
/// ```swift
/// struct UpdateName: FluxAction { let name: String }
///
/// UpdateName(name: "Great Name").dispatch()
/// ```
/// Stores and middleware find their answer to an action by its type, in one lookup.
public protocol FluxAction: Sendable {}

extension FluxAction {
  /// Dispatches this action with the default dispatcher of the current flux, on the main thread: at once if the caller
  /// is there, else later, in order. If the main thread runs neither a run loop nor `async main`, the action is never
  /// performed.
  ///
  /// See `FluxDispatcher.dispatch(_:)` for the order of actions, and `Flask.dispatch(_:)` for dispatching where the
  /// caller is.
  @discardableResult
  public func dispatch(fileID: StaticString = #fileID, line: UInt = #line) -> FluxReceipt {
    Flux.current.dispatcher.dispatchOnMainThread(self, at: SourcePlace(fileID, line))
  }

  /// Dispatches this action, where the caller is. Without a dispatcher nothing happens, and the receipt says `aborted`.
  @discardableResult
  public func dispatch(
    with dispatcher: FluxDispatcher?,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    dispatcher?.dispatch(self, isolation: isolation, fileID: fileID, line: line) ?? .aborted
  }
}
