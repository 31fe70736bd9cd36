/// Whatever a dispatcher hands its actions to: stores, middleware, other dispatchers, reactive substances, or a class
/// of one's own.
///
/// ```swift
/// final class AnalyticsLogger: FluxWorker {
///   func handle(_ action: any FluxAction, in pass: borrowing FluxPass) -> FluxNextAction {
///     log(action)
///     return .next()
///   }
/// }
/// ```
public protocol FluxWorker: AnyObject, Sendable {
  /// Answers an action, and says what the next worker gets.
  ///
  /// Called on the thread that performs the action, one action at a time for each flux. The state of stores is still
  /// that before the action. What is dispatched in here is performed after the action has gone its way.
  ///
  /// - Parameters:
  ///   - action: of any type; a worker that does not care returns `.next()`.
  ///   - pass: the way that the action goes. A worker that wraps another one hands it on.
  /// - Throws: anything; the whole action is discarded then, and its receipt says `failed`.
  func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction
}
