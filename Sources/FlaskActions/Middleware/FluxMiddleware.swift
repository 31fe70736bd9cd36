internal import FlaskPrimitives
internal import Synchronization

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
/// For one action, the handlers are called first, in the order in which they were registered, and then the composer.
/// Effects start when the action has been committed. Closures are held by the middleware, so they should hold it weakly
/// or unowned; the dispatcher holds the middleware, which should hold the dispatcher weakly.
///
/// A subclass may have mutable stored properties only if it guards them. Swift 6 mode asks it to restate `@unchecked
/// Sendable`.
///
/// `@unchecked Sendable`:
/// - Isolation: mutable state is behind a lock, or in `registrations` and `openEffects`, which guard themselves.
/// - Invariant: a subclass guards the mutable stored properties that it adds.
/// - If violated: a data race.
open class FluxMiddleware: AnsweringWorker, @unchecked Sendable {
  typealias ErrorHandler = @Sendable (any Error, any FluxAction, FluxEffectDispatch) -> Void

  /// The registrations for one type of actions.
  struct Registrations: Sendable {
    var handlers: [@Sendable (any FluxAction) -> Void] = []
    var composer: (body: @Sendable (any FluxAction) -> FluxNextAction, location: SourcePlace)?
    var effects: [EffectRegistration] = []
  }

  /// Not a closure by itself: see `Lock`.
  private struct ErrorHandling {
    var handler: ErrorHandler?
    var location: SourcePlace?
  }

  /// A number that no other middleware of the process has.
  let number = FluxMiddleware.made.add(1, ordering: .relaxed).newValue
  let openEffects = OpenEffects()
  private let registrations = ActionRegistry<Registrations>()
  private let errorHandling = Lock(ErrorHandling())

  private static let made = Atomic<Int>(0)

  /// A middleware that answers nothing yet.
  public init() {}

  /// Calls handlers and composer of the action's type, and schedules its effects.
  public final func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    guard let registrations = registrations[typeIdentifier(of: action)] else { return .next() }
    pass.withRoute { $0.isAnswered = true }
    for handler in registrations.handlers { handler(action) }
    let next = registrations.composer?.body(action) ?? .next()
    for effect in registrations.effects { pass.request(effect, of: self, for: action) }
    return next
  }

  /// Changes the registrations for a type of actions. `body` runs under a lock, and must not release client code.
  final func register<Result>(_ type: any FluxAction.Type, _ body: (inout Registrations) -> Result) -> Result
  {
    registrations.change(ObjectIdentifier(type)) { registrations in
      var changed = registrations ?? Registrations()
      defer { registrations = changed }
      return body(&changed)
    }
  }

  /// Sets the handler of errors. If a handler is set already, it stays, and the location of its registration is
  /// returned.
  final func setErrorHandler(_ handler: @escaping ErrorHandler, at location: SourcePlace)
    -> SourcePlace?
  {
    errorHandling.withLock { errorHandling in
      if errorHandling.handler != nil { return errorHandling.location }
      errorHandling.handler = handler
      errorHandling.location = location
      return nil
    }
  }

  /// Passes the error of an effect to the handler. Without a handler the error is a fault.
  final func handle(
    _ error: any Error,
    of action: any FluxAction,
    _ dispatch: FluxEffectDispatch,
    flux: Flux,
    at location: SourcePlace
  ) {
    if let handler = errorHandling.withLock({ $0.handler }) { return handler(error, action, dispatch) }
    flux.report(
      .effectFailed,
      "an effect of \(type(of: self)) for \(action is any Redacted ? SafeText.mark : "\(type(of: action))") threw \(SafeText.of(error)), which has no handler; "
        + "catch it in the effect, or call `registerErrorHandler`",
      at: location
    )
  }
}
