@_spi(FlaskInternals) internal import FlaskArchive

/// A worker that does not keep state: it does side work, replaces or stops actions, and runs effects.
///
/// ```swift
/// class SomeMiddleware: FluxMiddleware {
///   override init() {
///     super.init()
///     registerHandler(for: SomeAction.self) { [unowned self] action in performWork(action.value) }
///     registerComposer(for: OtherAction.self) { action in .next(ThirdAction()) }
///     registerEffect(for: Search.self, policy: .latest) { action, dispatch in
///       dispatch(Found(try await load(action.text)))
///     }
///   }
/// }
/// ```
/// For one action: handlers first, in the order in which they were registered, then the composer; effects start when the action has
/// been committed. Closures are held by the middleware, so they should hold it weakly or unowned; the dispatcher holds
/// the middleware, which should hold the dispatcher weakly.
///
/// A subclass may have mutable stored properties only if it guards them. Swift 6 mode asks it to restate `@unchecked Sendable`.
///
/// `@unchecked Sendable`: everything mutable is behind a lock, or in `answers`, which guards itself.
open class FluxMiddleware: FluxWorker, @unchecked Sendable {
  typealias ErrorHandler = @Sendable (any Error, any FluxAction, FluxEffectDispatch) -> Void

  private let answers = ActionRegistry<ActionAnswers>()
  /// Not a closure by itself: see `Lock`.
  private struct ErrorHandling { var handler: ErrorHandler? }

  private let errorHandling = Lock(ErrorHandling())

  /// A middleware that answers nothing yet.
  public init() {}

  /// Calls handlers and composer of the action's type, and notes its effects.
  public final func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    guard let answers = answers[typeIdentifier(of: action)] else { return .next() }
    for handler in answers.handlers { handler(action) }
    let next = answers.composer?(action) ?? .next()
    for effect in answers.effects { pass.note(effect, of: self, for: action) }
    return next
  }

  /// Changes what is done about a type of actions. `body` runs under the lock, and gives what is to be released after it.
  func answer<Result>(_ type: any FluxAction.Type, _ body: (inout ActionAnswers) -> Result) -> Result {
    answers.change { table in
      var answers = table[ObjectIdentifier(type)] ?? ActionAnswers()
      defer { table[ObjectIdentifier(type)] = answers }
      return body(&answers)
    }
  }

  /// Sets what errors of effects reach; false if there is one.
  func setErrorHandler(_ handler: @escaping ErrorHandler) -> Bool {
    errorHandling.withLock { errorHandling in
      if errorHandling.handler != nil { return false }
      errorHandling.handler = handler
      return true
    }
  }

  /// Tells that an effect threw.
  func fail(
    _ error: any Error,
    of action: any FluxAction,
    _ dispatch: FluxEffectDispatch,
    flux: Flux,
    at place: SourcePlace
  ) {
    if let handler = errorHandling.withLock({ $0.handler }) { return handler(error, action, dispatch) }
    flux.report(
      .effectFailed,
      "an effect of \(type(of: self)) for \(type(of: action)) threw \(error); catch it, or call `registerErrorHandler`",
      at: place
    )
  }
}
