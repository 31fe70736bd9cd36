@_spi(FlaskInternals) internal import FlaskArchive

/// Carries actions to its workers, one after the other, as operations of its flux.
///
/// ```swift
/// let dispatcher = FluxDispatcher()
/// dispatcher.register(workers: [SomeStore(), SomeMiddleware(dispatcher: dispatcher)])
/// SomeAction(value: 5).dispatch(with: dispatcher)
/// ```
/// An action dispatched is one operation, in order with mixes and global mixers: performed before the call returns if the flux
/// is idle and unlocked, else later. All stores that it changes are committed together when the last worker has been asked, or none
/// if one throws; then reactions are delivered and effects started. What a worker dispatches waits until then.
///
/// A dispatcher belongs to the flux that is current when it is made, and holds its workers; so a worker should hold its
/// dispatcher weakly. When the dispatcher goes, its effects are cancelled.
///
/// `@unchecked Sendable`: `borrowedFlux` is a weak reference that is never written again.
public final class FluxDispatcher: FluxWorker, @unchecked Sendable {
  /// The default dispatcher of the current flux.
  public static var `default`: FluxDispatcher { Flux.current.dispatcher }

  let list = Lock(WorkerList())
  let effects = EffectEngine()
  let isDefault: Bool
  private let heldFlux: Flux?
  private weak var borrowedFlux: Flux?
  private let mainThread = MainThreadQueue()

  /// A dispatcher without workers, of the current flux.
  public init() {
    heldFlux = Flux.current
    isDefault = false
  }

  /// The default dispatcher of `flux`, which holds it and so is not held, unless it is the one that lives for ever.
  init(defaultOf flux: Flux) {
    heldFlux = flux === Flask.bus ? flux : nil
    borrowedFlux = heldFlux == nil ? flux : nil
    isDefault = true
  }

  deinit { effects.close() }

  /// The flux that orders its actions; `nil` only for the default dispatcher of a flux that is gone.
  public var flux: Flux? { heldFlux ?? borrowedFlux }

  /// Dispatches an action. From any thread; performed there and then if the flux is idle and unlocked.
  ///
  /// - Returns: the outcome (`committed` with the keys that changed in stores and substances), and `finished`.
  @discardableResult
  public func dispatch(_ action: any FluxAction, isolation: (any Actor)? = #isolation) -> FluxReceipt {
    guard let flux else { return FluxReceipt(.aborted) }
    return flux.submit(ActionCall(dispatcher: self, action: action), isolation: ActorIdentity(isolation))
  }

  /// Dispatches an action on the main thread, after those that wait for it.
  func dispatchOnMainThread(_ action: any FluxAction) -> FluxReceipt {
    guard let flux else { return FluxReceipt(.aborted) }
    let call = ActionCall(dispatcher: self, action: action)
    return mainThread.submit(call, to: flux)
  }

  /// Asks the workers of this dispatcher. As a worker of another one it hands on what comes out at its end; a worker that stops the
  /// action stops it for the outer dispatcher too.
  public func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    let work = pass.performer.actions
    let outer = work.dispatcher
    let outerWorker = work.worker
    work.dispatcher = self
    defer {
      work.dispatcher = outer
      work.worker = outerWorker
    }
    let first = list.withLock { $0.first }
    return try withExtendedLifetime(first) {
      var current = action
      var isReplaced = false
      var link = first.map(Unmanaged.passUnretained)
      while let next = link {
        let answer = try next._withUnsafeGuaranteedRef { link in
          work.worker = link.worker
          return try link.worker.handle(current, in: pass).kind
        }
        switch answer {
        case .same: break
        case .other(let next):
          current = next
          isReplaced = true
        case .none: return .stop()
        }
        link = next._withUnsafeGuaranteedRef { $0.next.map(Unmanaged.passUnretained) }
      }
      return isReplaced ? .next(current) : .next()
    }
  }

  /// Cancels the effects of this dispatcher that were registered with `id`: running ones, and those that wait.
  ///
  /// When it has returned, nothing is begun any more that they dispatch or have dispatched; an action in progress goes its way. An
  /// effect has ended, and is not cancelled any more, when its closure has returned and its actions have been performed.
  public func cancelEffects(id: any Hashable & Sendable) { effects.cancel(id) }
}
