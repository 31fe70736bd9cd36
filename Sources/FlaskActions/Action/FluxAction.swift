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
  /// Dispatches this action with the default dispatcher of the current flux, on the main thread. This happens at once
  /// if the caller runs on the main thread, otherwise later, in the order of the calls. If the main thread runs neither
  /// a run loop nor `async main`, the action is never performed.
  ///
  /// See `FluxDispatcher.dispatch(_:)` for the order of actions, and `Flask.dispatch(_:)` for a dispatch on the
  /// caller's thread.
  @discardableResult
  public func dispatch(fileID: StaticString = #fileID, line: UInt = #line) -> FluxReceipt {
    Flux.current.dispatcher.dispatchOnMainThread(self, at: SourcePlace(fileID, line))
  }

  /// Dispatches this action with `dispatcher`, on the caller's thread. If `dispatcher` is `nil`, nothing happens, and
  /// the outcome of the receipt is `aborted`.
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
