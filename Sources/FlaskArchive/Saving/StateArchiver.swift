/// Keeps one state in an archive: reads it at the start, and saves it some time after each change.
///
/// If the backend supports journals, large states with `Entities` are saved by the changes of these.
///
/// Encoding and writing happen on a separate queue, without a lock. An idle state costs one write after each quiet
/// period, and no write if the bytes would be equal. A save that failed is tried again once the cap has passed. When
/// the archiver is released or closed, and when the process ends normally, pending changes are saved. If two archivers
/// have one key in one place, a fault names both archivers, and the last change wins.
///
/// Any thread may call any method.
@_spi(Checks) public final class StateArchiver<State: Codable & Sendable>: Sendable {
  let member: SeparateMember
  var writer: ArchiveWriter { member.writer }
  private let shape: ArchiveShape<State>

  /// Makes an archiver. Nothing is read or written yet; a fault is reported if the key has another archiver.
  ///
  /// - Parameters:
  ///   - key: the key of the archive.
  ///   - owner: the owner, as faults should name it.
  ///   - place: the line of the source that made the owner, such as `App.swift:12`. The fault about two owners of one
  ///     key names it.
  ///   - backend: where it is kept.
  ///   - shape: the state's version, defaults and migrations.
  ///   - delay: how long after the last change it is saved; 2 s if not said otherwise.
  ///   - cap: how long after the first unsaved change it is saved at the latest; 10 s if not said otherwise, and never
  ///     shorter than the delay.
  ///   - scheduler: the clock and the timer; by default those of the system.
  ///   - onFault: gets the failures. It is called on the calling thread if the call waits, otherwise on a queue.
  ///   - snapshot: the current state, or `nil` if it must not be saved; called on a queue of the archiver, and must not
  ///     wait for anything that waits for the archiver. It must not keep the archiver alive.
  public convenience init(
    key: String,
    owner: String,
    place: String? = nil,
    in backend: any ArchiveBackend,
    as shape: ArchiveShape<State>,
    delay: Duration = .seconds(2),
    cap: Duration = .seconds(10),
    scheduler: (any ArchiveScheduler)? = nil,
    onFault: @escaping @Sendable (ArchiveFault) -> Void,
    snapshot: @escaping @Sendable () -> State?
  ) {
    self.init(
      key: key,
      owner: ArchiveOwner(name: owner, place: place),
      in: backend,
      as: shape,
      schedule: ArchiveSchedule(delay: delay, cap: cap),
      scheduler: scheduler ?? DispatchArchiveScheduler(),
      registry: .shared,
      onFault: onFault,
      snapshot: snapshot
    )
  }

  /// Makes an archiver that belongs to a separate registry.
  init(
    key: String,
    owner: ArchiveOwner,
    in backend: any ArchiveBackend,
    as shape: ArchiveShape<State>,
    schedule: ArchiveSchedule,
    scheduler: any ArchiveScheduler,
    registry: Archivers,
    onFault: @escaping @Sendable (ArchiveFault) -> Void,
    snapshot: @escaping @Sendable () -> State?
  ) {
    self.shape = shape
    let key = ArchiveKey.canonical(key)
    let store = ArchiveStore(.alone(key: key), key: key, in: backend)
    let writer = ArchiveWriter(
      store,
      owner: owner,
      schedule: schedule,
      scheduler: scheduler,
      registry: registry,
      report: onFault
    ) { plan in
      guard let member = plan.states.first?.member, let state = snapshot() else {
        return ArchiveLedger.Outcome()
      }
      do throws(ArchiveError) {
        let isJournaled = backend is any JournalArchiveBackend
        let content =
          isJournaled
          ? try shape.content(of: state, for: key, after: store.file?.parts[key])
          : PartContent(try shape.encode(state, for: key))
        try store.write([key: content]) { _, part throws(ArchiveError) in
          part.contents.isEmpty ? part.archive : try shape.encode(state, for: key)
        }
        return ArchiveLedger.Outcome(written: [member])
      } catch {
        return ArchiveLedger.Outcome(error: error, unencodable: error.isOfState ? member : nil)
      }
    }
    let id = writer.decide { $0.join(key, owner: owner, of: writer.id).id }
    member = SeparateMember(writer: writer, id: id)
  }

  deinit {
    close()
  }

  /// Reads the archive after any write in progress; the caller waits. Reports failures.
  ///
  /// An unusable archive is quarantined: moved to the key `….corrupt-1`, or to the next free number up to 16. If that
  /// fails, or if it cannot be read, it is not overwritten by this archiver before a purge or a successful read.
  ///
  /// - Returns: the result.
  /// - Complexity: O(*n*) in the number of bytes.
  public func load() -> ArchiveReading<State> {
    let reading = writer.load(as: shape)
    writer.decide { $0.wasRead(member.id) }
    return reading
  }

  /// Records that the state has changed. Returns at once.
  ///
  /// - Complexity: O(1), one uncontended lock.
  public func stateChanged() { member.stateChanged() }

  /// Saves the current state, changed or not, and waits until it is durable.
  ///
  /// - Throws: the reason why the state is not known to be durable; it is also reported as a fault.
  public func archiveNow() throws(ArchiveError) { try member.archiveNow() }

  /// Saves the current state, changed or not, and suspends until it is durable.
  ///
  /// - Throws: the reason why the state is not known to be durable; it is also reported as a fault.
  public func archiveNow() async throws(ArchiveError) { try await member.archiveNow() }

  /// Saves the current state, changed or not, and suspends until it is durable.
  ///
  /// - Throws: the reason why the state is not known to be durable. Unlike with `archiveNow()` it is not reported.
  public func save() async throws(ArchiveError) { try await member.save() }

  /// Removes the archive and its quarantined copies, and waits until that is done. Changes made until now are not saved
  /// any more.
  ///
  /// - Throws: the reason why the archive may still exist; it is also reported as a fault.
  public func purge() throws(ArchiveError) { try member.purge() }

  /// Ends archiving. Pending changes are saved soon; later changes are not saved. Returns at once. The release of the
  /// archiver does the same.
  public func close() {
    _ = writer.release(member.id, isSavable: true)
    writer.close()
  }

  /// Waits until all started work on the archive is done.
  func waitForWork() { writer.waitForWork() }

  /// Waits until all faults that no caller waits for are reported.
  func waitForFaults() { writer.waitForFaults() }
}
