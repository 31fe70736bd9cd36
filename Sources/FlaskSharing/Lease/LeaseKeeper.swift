internal import Dispatch
internal import FlaskPrimitives
internal import Foundation

/// Takes, renews and gives back a lease, on a thread of its own: a store may block it.
final class LeaseKeeper: Sendable {
  private let store: any RecordStore
  private let name: String
  private let holder = UUID().uuidString
  private let term: Lock<LeaseTerm>
  private let queue = DispatchQueue(label: "FlaskSharing.lease", qos: .userInitiated)
  private let start = ContinuousClock.now
  /// Get a result when the lease is taken, and when it is lost.
  let taken: SharedWaiter<Fence>
  let lost = SharedWaiter<Void>(atMost: nil)

  init(_ store: any RecordStore, _ name: String, for length: Duration, atMost limit: Duration?) {
    self.store = store
    self.name = name
    term = Lock(LeaseTerm(length))
    taken = SharedWaiter(atMost: limit)
  }

  private var now: Duration { ContinuousClock.now - start }

  /// Begins to ask, until it is ended.
  func begin() { queue.async { self.ask() } }

  private func ask() {
    if isDone { return }
    var didFail = false
    let time = now
    do {
      let fence = try store.lease(name, holder: holder, for: term.withLock { $0.length })
      let (before, after) = term.withLock { term in
        let before = term.state
        term.didAnswer(fence, askedAt: time)
        return (before, term.state)
      }
      if let fence {
        switch after {
        case .held: if before == .waiting { didTake(fence) }
        // It came too late.
        case .waiting, .lost, .ended: giveBack()
        }
      }
    } catch RecordStoreError.refused(let reason) {
      if term.withLock({ $0.state }) == .waiting {
        return taken.resume(.failure(SharingError.refused(reason: reason)))
      }
      didFail = true
    } catch {
      didFail = true
    }
    look()
    let pause = term.withLock { $0.pause(afterFailure: didFail) }
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.ask() }
  }

  /// Whether nothing is asked for any more.
  private var isDone: Bool {
    switch term.withLock({ $0.state }) {
    case .waiting: taken.isDone
    case .held: false
    case .lost, .ended: true
    }
  }

  private func didTake(_ fence: Fence) {
    // If the caller was cancelled, it is about to end this.
    taken.resume(.success(fence))
    watch()
  }

  private func giveBack() { _ = try? store.lease(name, holder: holder, for: .zero) }

  /// Looks at the clock when the lease may be over, on another thread than that which a store may block.
  private func watch() {
    guard let deadline = term.withLock({ $0.deadline }) else { return }
    let rest = max(.zero, deadline - now)
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + rest / .seconds(1)) {
      [weak self] in
      self?.look()
      self?.watch()
    }
  }

  private func look() {
    let isLost = term.withLock { [now] term in
      _ = term.isHeld(at: now)
      return term.state == .lost
    }
    if isLost { lost.resume(.failure(SharingError.leaseLost(name: name))) }
  }

  /// Gives the lease back. What was never taken, or was lost, is not waited for.
  func end() async {
    let state = term.withLock { term in
      defer { term.end() }
      return term.state
    }
    taken.resume(.failure(CancellationError()))
    lost.resume(.success(()))
    guard case .held = state else {
      // An answer may have been lost that had taken it.
      if state == .waiting { queue.async { self.giveBack() } }
      return
    }
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        giveBack()
        continuation.resume()
      }
    }
  }
}
