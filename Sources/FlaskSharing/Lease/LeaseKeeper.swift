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
        // The lease was granted, but this keeper has lost it or given it up meanwhile. So it is given back.
        case .waiting, .lost, .ended: _ = try? store.lease(name, holder: holder, for: .zero)
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
    checkLease()
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

  /// Looks at the clock when the lease may be over, on another thread than that which a store may block.
  private func watch() {
    guard let deadline = term.withLock({ $0.deadline }) else { return }
    // Timers are paused while the machine sleeps, and the clock is not.
    let rest = min(.seconds(1), max(.zero, deadline - now))
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + rest / .seconds(1)) {
      [weak self] in
      self?.checkLease()
      self?.watch()
    }
  }

  private func checkLease() {
    let isLost = term.withLock { [now] term in
      _ = term.isHeld(at: now)
      return term.state == .lost
    }
    if isLost { lost.resume(.failure(SharingError.leaseLost(name: name))) }
  }

  /// Gives the lease back. A database that does not answer is not waited for.
  func end() async {
    let (state, limit) = term.withLock { [now] term in
      defer { term.end() }
      // A lease that was never taken may still have been granted, if the answer was lost. It is given back, too, but
      // that is tried for a minute at most.
      return (term.state, now + (term.state == .waiting ? min(term.length, .seconds(60)) : term.length))
    }
    taken.resume(.failure(CancellationError()))
    lost.resume(.success(()))
    let given = SharedWaiter<Void>(atMost: .seconds(1))
    // Also what was lost, or was never taken: an answer may have been lost.
    queue.async { self.giveBack(until: limit, given) }
    // A cancelled task waits, too: usually it takes milliseconds.
    if case .held = state { await Task { _ = try? await given.value() }.value }
  }

  private func giveBack(until limit: Duration, _ given: SharedWaiter<Void>) {
    do {
      _ = try store.lease(name, holder: holder, for: .zero)
      given.resume(.success(()))
    } catch RecordStoreError.refused {
      given.resume(.success(()))
    } catch {
      // Behind that, others can take it in any case.
      if now > limit { return }
      queue.asyncAfter(deadline: .now() + .random(in: 0.5...1)) { self.giveBack(until: limit, given) }
    }
  }
}
