/// A receiver of a dispatcher's actions: a store, middleware, another dispatcher, a reactive substance, or a custom
/// class.
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
  /// Answers an action, and returns the action for the next worker.
  ///
  /// Called on the thread that performs the action, one action at a time for each flux. Stores still have the state
  /// before the action. Actions that are dispatched in this function are performed after `action`.
  ///
  /// - Parameters:
  ///   - action: an action of any type. A worker that does not answer it returns `.next()`.
  ///   - pass: the pass of the action. A worker that wraps another worker passes it on.
  /// - Throws: any error. The whole action is then discarded, and its receipt has the outcome `failed`.
  func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction
}
