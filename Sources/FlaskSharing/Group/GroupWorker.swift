internal import Dispatch
internal import FlaskPrimitives
internal import Foundation

/// The thread of a group: it reads and saves, one after the other, and asks for the arrivals.
///
/// Requests that come while it works share the next round.
final class GroupWorker: Sendable {
  private struct Requests {
    var isScheduled = false
    var isSaveWanted = false
    var savers: [SharedWaiter<SharedPlace>] = []
    var transactions: [any SharedTransaction] = []
    var readers: [SharedWaiter<SharedPlace>] = []
    var isReadWanted = false
    /// Those who wait until a commit has arrived.
    var followers: [(place: SharedPlace, waiter: SharedWaiter<Void>)] = []
    var released: [SharedPart] = []
    var failures = 0
    var isEnded = false

    var isEmpty: Bool {
      !isSaveWanted && !isReadWanted && savers.isEmpty && transactions.isEmpty && readers.isEmpty
        && released.isEmpty
    }
  }

  let session: GroupSession
  let store: any RecordStore
  private let status: Substance<SharedStatus>
  private let queue = DispatchQueue(label: "FlaskSharing.group", qos: .userInitiated)
  /// Arrivals are submitted on a queue of their own, since reactions may run there.
  private let arrivals = DispatchQueue(label: "FlaskSharing.arrivals", qos: .userInitiated)
  private let requests = Lock(Requests())
  private let outstanding = DispatchGroup()
  /// The fluxes with an operation that has not ended, each with the number of the operation.
  private let submitted = Lock<[ObjectIdentifier: Int]>([:])
  private let submissions = Lock(0)
  private let patience = Lock(20)

  init(_ session: GroupSession, _ store: any RecordStore, _ status: Substance<SharedStatus>) {
    self.session = session
    self.store = store
    self.status = status
  }

  // MARK: Requests

  private func request(_ change: (inout Requests) -> Void) {
    let mustSchedule = requests.withLock { requests in
      change(&requests)
      defer { requests.isScheduled = true }
      return !requests.isScheduled && !requests.isEnded
    }
    if mustSchedule { queue.async { self.work() } }
  }

  func changed() { request { $0.isSaveWanted = true } }
  func read() { request { $0.isReadWanted = true } }
  func save(_ waiter: SharedWaiter<SharedPlace>) { request { $0.savers.append(waiter) } }
  func read(_ waiter: SharedWaiter<SharedPlace>) { request { $0.readers.append(waiter) } }
  func perform(_ transaction: any SharedTransaction) { request { $0.transactions.append(transaction) } }

  /// Saves what is pending of a part whose substance is gone, and removes it then.
  func release(_ part: SharedPart) { request { $0.released.append(part) } }

  /// Resumes a waiter once a commit has arrived.
  func follow(_ place: SharedPlace, _ waiter: SharedWaiter<Void>) {
    requests.withLock { $0.followers.append((place, waiter)) }
    read()
    noteArrived()
  }

  /// Reads each second, for hints that were lost, as long as there is a member.
  func pollAgain() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self else { return }
      if !self.session.fluxes.isEmpty { self.read() }
      self.pollAgain()
    }
  }

  /// Adds a part, and reads it. If an earlier substance of this key is gone, what is pending of it is saved first.
  ///
  /// - Returns: `false` if the group has a part with this key.
  func joins(_ part: SharedPart) -> Bool {
    queue.sync {
      if !session.join(part) {
        guard session.isReleased(part.key) else { return false }
        perform(
          requests.withLock { requests in
            defer { requests.released = [] }
            var round = Requests()
            round.released = requests.released
            round.isSaveWanted = true
            return round
          }
        )
        if !session.join(part) { return false }
      }
      // A failure shows in the status, and reading is tried again.
      _ = try? readNow()
      return true
    }
  }

  /// The group is gone. What is pending is saved once more.
  func endWhenSaved() {
    queue.async { [self] in
      var round = Requests()
      round.isSaveWanted = true
      perform(round)
      requests.withLock { $0.isEnded = true }
    }
  }

  // MARK: The thread

  private func work() {
    while true {
      let round = requests.withLock { requests -> Requests? in
        if requests.isEmpty || requests.isEnded {
          requests.isScheduled = false
          return nil
        }
        let round = requests
        requests.isSaveWanted = false
        requests.isReadWanted = false
        requests.savers = []
        requests.transactions = []
        requests.readers = []
        requests.released = []
        return round
      }
      guard let round else { return }
      perform(round)
    }
  }

  private func perform(_ round: Requests) {
    if round.isSaveWanted || !round.savers.isEmpty || !round.transactions.isEmpty || !round.released.isEmpty {
      save(round)
    }
    if round.isReadWanted || !round.readers.isEmpty {
      let result = Result { try readNow() }
      for reader in round.readers { reader.resume(result) }
    }
    install()
    noteArrived()
  }

  /// Reads all that others have written.
  @discardableResult
  func readNow() throws -> SharedPlace {
    do {
      let query = session.query()
      session.absorb(try store.read(query), query, isAlone: false)
      note { $0.phase = $0.phase == .saving ? .saving : .current }
    } catch {
      let error = SharingError(error)
      note { $0.phase = error.phase }
      throw error
    }
    return place
  }

  private var place: SharedPlace {
    SharedPlace(incarnation: session.position?.incarnation ?? "", number: session.position?.number ?? 0)
  }

  private func save(_ round: Requests) {
    waitForArrivals()
    var attempts = 0
    while true {
      guard let attempt = session.pin(round.transactions) else { return didSaveNothing(round) }
      note { status in
        status.phase = .saving
        status.pendingRows = attempt.query.keys.count
      }
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
        attempts += 1
        if attempts < 3 { continue }
        return didFail(round, SharingError.offline(reason: reason), isPending: true)
      } catch {
        session.abandon(attempt)
        let error = SharingError(error)
        return didFail(round, error, isPending: error.isTemporary)
      }
    }
  }

  /// Others wait for the turn, too.
  private func rest(since begin: DispatchTime) {
    let held = (DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1000
    usleep(UInt32(min(max(held, 2000), 50_000)))
  }

  private func didSaveNothing(_ round: Requests) {
    leave(round.released)
    if round.savers.isEmpty { return note { if $0.phase == .saving { $0.phase = .current } } }
    // What is saved is known only if the group was read.
    let result = Result { session.position == nil ? try readNow() : place }
    for saver in round.savers { saver.resume(result) }
  }

  private func didSave(_ round: Requests, _ attempt: GroupSession.Attempt) {
    requests.withLock { $0.failures = 0 }
    note { status in
      status.phase = .current
      status.pendingRows = attempt.failures.count
    }
    let place = place
    let result: Result<SharedPlace, any Error> =
      attempt.failures.isEmpty ? .success(place) : .failure(SharingError.rowsNotSaved(attempt.failures))
    for saver in round.savers { saver.resume(result) }
    for transaction in round.transactions { transaction.didCommit(at: place) }
    leave(round.released)
  }

  private func didFail(_ round: Requests, _ error: SharingError, isPending: Bool) {
    note { $0.phase = error.phase }
    let patient = isPending ? round.savers.filter(\.isPatient) : []
    let others = isPending ? round.transactions.filter(\.isPatient) : []
    for saver in round.savers where !patient.contains(where: { $0 === saver }) {
      saver.resume(.failure(error))
    }
    for transaction in round.transactions where !others.contains(where: { $0 === transaction }) {
      transaction.didFail(error)
    }
    let failures = requests.withLock { requests in
      requests.failures += 1
      requests.savers += patient
      requests.transactions += others
      if isPending { requests.released += round.released }
      return requests.failures
    }
    if !isPending { leave(round.released) }
    guard isPending else { return }
    // From a tenth of a second to five seconds, with jitter, so that many processes do not come at once.
    let delay = min(5.0, 0.1 * Double(1 << min(failures, 6))) * Double.random(in: 0.5...1)
    requests.withLock { $0.isScheduled = true }
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      self.requests.withLock { $0.isSaveWanted = true }
      self.work()
    }
  }

  private func leave(_ parts: [SharedPart]) {
    for part in parts { session.leave(part) }
  }

  private func note(_ change: (inout SharedStatus) -> Void) {
    var new = status.withPresentState { $0.assumingMemoryBound(to: SharedStatus.self).pointee }
    let old = new
    change(&new)
    new.commit = session.position?.number ?? 0
    let changed = new
    if changed != old { status.mix(isolation: nil) { $0 = changed } }
  }

  // MARK: Arrivals

  /// Asks each flux to install what was read, unless it was asked already.
  private func install() {
    for flux in session.fluxesToInstall {
      let id = ObjectIdentifier(flux)
      let number = submissions.withLock { count in
        count += 1
        return count
      }
      let isFirst = submitted.withLock { submitted in
        if submitted[id] != nil { return false }
        submitted[id] = number
        return true
      }
      guard isFirst else { continue }
      outstanding.enter()
      arrivals.async { [self] in
        let operation = FluxOperation(
          OperationIdentity(.arrival, by: .flask),
          in: flux,
          completion: { [self] _ in didArrive(id, number) }
        ) { [session] in session.install(in: $0, of: flux) }
        let receipt = flux.submit(operation, isolation: .none)
        // The completion of an operation that was refused is not called.
        if receipt.outcomeIfKnown != nil { didArrive(id, number) }
      }
    }
  }

  private func didArrive(_ id: ObjectIdentifier, _ number: Int) {
    let isFirst = submitted.withLock { submitted in
      guard submitted[id] == number else { return false }
      submitted[id] = nil
      return true
    }
    guard isFirst else { return }
    outstanding.leave()
    noteArrived()
    // More may have been read meanwhile.
    if !session.isHandedOver, !session.isSaving { request { $0.isReadWanted = true } }
  }

  /// Lets an arrival come before the next pinning, so that steady saves do not keep it out. A flux that is locked is not
  /// waited for. Otherwise the wait is longer each time that it was in vain.
  private func waitForArrivals() {
    install()
    let isLocked = session.fluxesToInstall.contains { !$0.locks.isEmpty }
    if isLocked { return }
    let limit = patience.withLock { $0 }
    let isDone = outstanding.wait(timeout: .now() + .milliseconds(limit)) == .success
    patience.withLock { $0 = isDone ? 20 : min(1000, $0 * 2) }
  }

  private func noteArrived() {
    guard session.isHandedOver, let position = session.position else { return }
    let arrived = requests.withLock { requests in
      let arrived = requests.followers.filter { position.has($0.place) }
      requests.followers.removeAll { position.has($0.place) }
      return arrived
    }
    for (_, waiter) in arrived { waiter.resume(.success(())) }
  }
}

extension RecordPosition {
  /// Whether a place is not behind this one. A place of another history has come with that history.
  func has(_ place: SharedPlace) -> Bool { incarnation == place.incarnation && number >= place.number }
}

extension SharingError {
  init(_ error: any Error) {
    switch error {
    case let error as SharingError: self = error
    case RecordStoreError.refused(let reason): self = .refused(reason: reason)
    default: self = .offline(reason: "\(error)")
    }
  }

  /// Whether another attempt may succeed without a change here.
  var isTemporary: Bool { if case .offline = self { true } else { false } }

  var phase: SharedStatus.Phase {
    isTemporary ? .offline(reason: description) : .refused(reason: description)
  }
}
