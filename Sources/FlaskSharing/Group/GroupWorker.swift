internal import Dispatch
internal import FlaskPrimitives
internal import Foundation
internal import Synchronization

/// The thread of a group: it reads and saves, one after the other, and asks for the arrivals.
///
/// Requests that come while it works share the next round.
final class GroupWorker: Sendable {
  let session: GroupSession
  let store: any RecordStore
  let requests = Lock(GroupRequests())
  private let status: Substance<SharedStatus>
  let queue = DispatchQueue(label: "FlaskSharing.group", qos: .userInitiated)
  /// The thread that works for the group now; 0 for none.
  private let thread = Atomic<UInt>(0)
  private let arrivals: GroupArrivals

  init(_ session: GroupSession, _ store: any RecordStore, _ status: Substance<SharedStatus>) {
    self.session = session
    self.store = store
    self.status = status
    arrivals = GroupArrivals(session)
    arrivals.didArrive = { [weak self] in self?.didArrive() }
    GroupExit.add(self)
  }

  // MARK: Requests

  func request(_ change: (inout GroupRequests) -> Void) {
    let mustSchedule = requests.withLock { requests in
      change(&requests)
      return requests.schedule()
    }
    if mustSchedule { queue.async { self.work() } }
  }

  func changed() { request { $0.isSaveWanted = true } }
  func read() { request { $0.isReadWanted = true } }
  func save(_ waiter: SharedWaiter<SharedPlace>) { request { $0.savers.append(waiter) } }
  func read(_ waiter: SharedWaiter<SharedPlace>) { request { $0.readers.append(waiter) } }
  func perform(_ transaction: any SharedTransaction) { request { $0.transactions.append(transaction) } }

  /// Saves what is pending of a part whose substance was released, and then removes it.
  func release(_ part: SharedPart) {
    session.release(part)
    request { $0.released.append(part) }
  }

  /// Resumes a waiter once a commit has arrived.
  func follow(_ place: SharedPlace, _ waiter: SharedWaiter<Void>) {
    let restorations = session.shared.withLock { $0.restorations }
    requests.withLock { $0.followers.append(.init(place: place, restorations: restorations, waiter: waiter)) }
    noteArrived()
    read()
  }

  /// Reads each second, for hints that were lost, as long as there is a member.
  func pollAgain() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self else { return }
      if !self.session.members.isEmpty { self.read() }
      self.pollAgain()
    }
  }

  /// Adds a part, and reads it. If an earlier substance of its key was released, what is pending of it is saved first.
  func join(_ part: SharedPart) -> GroupSession.Joining {
    // Client code on this thread may make a substance. It is read later.
    if thread.load(ordering: .relaxed) == ThreadIdentity.current { return session.join(part) }
    return queue.sync {
      var result = session.join(part)
      if case .later = result {
        let released = requests.withLock { $0.takeReleased() }
        working { perform(released) }
        if !session.members.values.contains(where: { $0 === part }) { return .later }
        result = .later
      }
      // A failure shows in the status, and reading is tried again.
      working { _ = try? readNow() }
      return result
    }
  }

  /// Performs `body` as the thread of the group.
  private func working(_ body: () -> Void) {
    thread.store(ThreadIdentity.current, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    body()
  }

  /// The group was released. What is pending is saved once more.
  func endWhenSaved() {
    queue.async { [self] in
      var round = GroupRequests()
      round.isSaveWanted = true
      working { perform(round) }
      requests.withLock { $0.isEnded = true }
      reportPending(Array(session.members.values))
    }
  }

  /// Begins to save what is pending before the process ends.
  func saveAtExit(_ group: DispatchGroup) {
    group.enter()
    queue.async { [self] in
      var round = GroupRequests()
      round.isSaveWanted = true
      working { perform(round) }
      requests.withLock { $0.isEnded = true }
      group.leave()
    }
  }

  // MARK: The thread

  /// Performs one round. Others that wait for the queue come before the next one.
  func work() {
    guard let round = requests.withLock({ $0.nextRound() }) else { return }
    working { perform(round) }
    queue.async { self.work() }
  }

  private func perform(_ round: GroupRequests) {
    if round.mustSave { save(round) }
    if round.isReadWanted || !round.readers.isEmpty {
      let result = Result { try readNow() }
      for reader in round.readers { reader.resume(result) }
    }
    arrivals.submit()
    noteArrived()
  }

  /// Reads all that others have written.
  @discardableResult
  func readNow() throws -> SharedPlace {
    do {
      let query = session.query()
      session.absorb(try store.read(query), query, isAlone: false)
      requests.withLock { $0.didRead() }
      publishStatus()
    } catch {
      let error = SharingError(error)
      requests.withLock { $0.readError = error }
      publishStatus()
      throw error
    }
    return place
  }

  var place: SharedPlace {
    let position = session.position
    return SharedPlace(incarnation: position?.incarnation ?? "", number: position?.number ?? 0)
  }

  private func save(_ round: GroupRequests) {
    arrivals.wait()
    // Less is read while other processes wait for their turn.
    for _ in 0..<3 where session.isFarBehind { _ = try? readNow() }
    var pendingRows = 0
    for _ in 0..<3 {
      let attempt: GroupSession.Attempt
      switch session.pin(round.transactions) {
      case .nothing: return didSaveNothing(round)
      case .busy: return again(round, after: 0.02)
      case .attempt(let begun): attempt = begun
      }
      pendingRows = attempt.pendingCount
      // A doubt is settled in a transaction, even if nothing may be written.
      if let refusal = session.refusal, session.position != nil, session.doubt == nil {
        session.abandon(attempt)
        return didFail(round, refusal, pendingRows: pendingRows)
      }
      // The phase is `saving` only for a short time. It is published if there are observers: for a reader it would be
      // outdated at once.
      if !status.cell.listeners.isEmpty { publishStatus(.saving, pendingRows: pendingRows) }
      let begin = DispatchTime.now()
      do {
        let position = try store.transact(attempt.query) { tail, fetch in
          try session.decide(tail, attempt, fetch: fetch)
        }
        session.settle(attempt, at: position)
        didSave(round, attempt)
        if attempt.hasOthers { rest(since: begin) }
        return
      } catch RecordStoreError.unknownOutcome(let reason) {
        session.leaveInDoubt(attempt)
        requests.withLock { $0.saveError = .offline(reason: reason) }
      } catch RecordStoreError.conflict(let reason) {
        session.abandon(attempt)
        requests.withLock { $0.saveError = .offline(reason: reason) }
      } catch {
        session.abandon(attempt)
        return didFail(round, SharingError(error), pendingRows: pendingRows)
      }
    }
    didFail(
      round,
      requests.withLock { $0.saveError } ?? .offline(reason: "the answers to three commits were lost"),
      pendingRows: pendingRows
    )
  }

  /// Pauses after a save if other processes write the group, too, for about as long as the save took. So the others get
  /// their turn.
  private func rest(since begin: DispatchTime) {
    let held = (DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1000
    usleep(UInt32(min(max(held, 2000), 50_000)))
  }

  /// Changes the status to what is known now.
  func publishStatus(_ phase: SharedStatus.Phase? = nil, pendingRows: Int? = nil) {
    let old = status.withPresentState { $0.assumingMemoryBound(to: SharedStatus.self).pointee }
    let error = requests.withLock { $0.saveError ?? $0.readError }
    var new = old
    if let pendingRows { new.pendingRows = pendingRows }
    new.commit = session.position?.number ?? 0
    new.restorations = session.shared.withLock { $0.restorations }
    if case .newerVersion(let found, let known)? = session.refusal {
      new.phase = SharingError.newerVersion(found: found, known: known).phase
    } else {
      new.phase = phase ?? error?.phase ?? (session.position == nil ? .opening : .current)
    }
    let changed = new
    if changed != old { status.mix(isolation: nil) { $0 = changed } }
  }

  // MARK: Arrivals

  private func didArrive() {
    noteArrived()
    // More may have been read meanwhile.
    if !session.fluxesToInstall.isEmpty, !session.isSaving { request { $0.isReadWanted = true } }
  }

  func noteArrived() {
    guard let reached = session.reached else { return }
    let restorations = session.shared.withLock { $0.restorations }
    let unusable = session.unreadable
    let arrived = requests.withLock { $0.takeFollowers(reached, restorations, isUnusable: unusable != nil) }
    for follower in arrived {
      let isLost = follower.restorations != restorations || follower.place.incarnation != reached.incarnation
      if isLost {
        follower.waiter.resume(.failure(SharingError.otherHistory))
      } else if let unusable, follower.place.number > reached.number {
        follower.waiter.resume(.failure(unusable))
      } else {
        follower.waiter.resume(.success(()))
      }
    }
  }
}
