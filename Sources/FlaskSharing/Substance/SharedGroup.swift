internal import Dispatch
internal import FlaskPrimitives

/// Substances whose states several processes share through a database.
///
/// ```swift
/// let books = SharedGroup("books", in: store)
/// let ledger = Substance<Ledger>(name: "ledger", archive: true, in: books)
///
/// ledger.mix { $0.entries.append(entry) }
/// try await books.save()
/// ```
/// A substance in a group is read when it is made. Its changes are saved soon after each mix, and those of others
/// arrive as operations of the flux. Each element of an `Entities` is one row of the database, and the rest of a state
/// is another one, so what is written and merged is what has changed. Changes of one row are merged key by key: of two
/// changes of one key the later commit wins; a removal beats a change.
///
/// What one mix changes in several substances of a group is seen by all processes at once.
///
/// All states of a group are in the memory of each process. A change is one commit in the order of the group, so a
/// group is what must be consistent, and not more. Any thread may call any method.
public final class SharedGroup: ArchivePlace {
  /// Changes the JSON of a row of one version into that of the next: called for each version from that of the row up
  /// to, but not including, that of this program.
  public typealias Migration =
    @Sendable (_ key: RecordKey, _ version: Int, _ body: inout ArchiveValue) throws -> Void

  /// The name of the group, the same in each process.
  public let name: String
  /// How the group stands to its database. It belongs to a flux of its own, which no lock of the app suspends.
  /// Observers without an isolation are called on the thread of the group, before `save()` returns.
  public let status: Substance<SharedStatus>

  let session: GroupSession
  let worker: GroupWorker
  private let hints: Held<any AnyObject & Sendable>

  /// Makes a group without members. The database is read when the first substance is made in the group.
  ///
  /// - Parameters:
  ///   - name: the name, the same in each process.
  ///   - store: the database.
  ///   - version: the version of the program's states. Raise it if what a property means has changed; a new property
  ///     needs no new version. Once a program of a newer version has written the group, older ones continue to read
  ///     it, and write nothing.
  ///   - isReadOnly: whether this process writes nothing.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - migrate: changes rows of older versions when they are read. They are written when they change.
  public init(
    _ name: String,
    in store: any RecordStore,
    version: Int = 0,
    isReadOnly: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    migrate: @escaping Migration = { _, _, _ in }
  ) {
    let flux = Flux.current
    let place = SourcePlace(fileID, line)
    let coding = RowCoding(version: max(0, version), migrate: migrate, merges: MergeClosures())
    let session = GroupSession(name, coding, isReadOnly: isReadOnly) { kind, message in
      // Reported elsewhere, since the handler may wait for the group.
      DispatchQueue.global().async { flux.report(kind, message, at: place) }
    }
    let status = Flux.$current.withValue(Flux()) { Substance(SharedStatus(), name: "status of \(name)") }
    let worker = GroupWorker(session, store, status)
    self.name = name
    self.session = session
    self.status = status
    self.worker = worker
    hints = Held(store.observe(name) { [weak worker] in worker?.read() })
    worker.pollAgain()
  }

  deinit { worker.endWhenSaved() }

  /// Sets how an element is merged that was changed here and elsewhere: by a closure that gets the value that both have
  /// changed, the value here, and that in the database. Otherwise elements are merged key by key.
  ///
  /// The closure is called on the thread of the group, inside of a transaction, and may be called again. It must be a
  /// pure function, and keep the identity.
  public func merge<Element: Identifiable & Codable & Sendable>(
    _ type: Element.Type,
    by merge: @escaping @Sendable (_ base: Element, _ mine: Element, _ theirs: Element) -> Element
  ) {
    session.coding.merges.set(merge)
  }

  // MARK: Saving

  /// Saves what is pending, and returns when it is durable, merged with what others have written. Mixes submitted
  /// before are included, unless they wait for a lock. It may be called while the flux is locked.
  ///
  /// - Parameter timeout: how long it is tried again if the database can't be reached; `nil` to throw at the first
  ///   failure. What is pending is saved later in any case.
  /// - Returns: the place in the order of commits that is reached. Another process can wait for it: `reached(_:)`.
  /// - Throws: `SharingError`; `CancellationError` if the task is cancelled.
  @discardableResult
  public func save(timeout: Duration? = nil) async throws -> SharedPlace {
    for flux in session.fluxes { await flux.passed() }
    let waiter = SharedWaiter<SharedPlace>(atMost: timeout)
    worker.save(waiter)
    return try await waiter.value()
  }

  /// Waits until all that was committed up to a place is in the states here: read your writes on another server.
  ///
  /// A place from before a restored backup means nothing afterwards, so pass a timeout.
  ///
  /// - Parameters:
  ///   - place: what `save()` has returned, in any process.
  ///   - timeout: how long; `nil` without a limit.
  /// - Throws: `SharingError.timedOut`; `.otherHistory` if the place belongs to another database, or if a restored
  ///   backup is noticed while it waits; `CancellationError` if the task is cancelled.
  public func reached(_ place: SharedPlace, timeout: Duration? = nil) async throws {
    let waiter = SharedWaiter<Void>(atMost: timeout)
    worker.follow(place, waiter)
    try await waiter.value()
  }

  /// Reads what others have written, and returns when it is in the states: for a program that must not begin with
  /// initial states, or must know whether it may write.
  ///
  /// - Throws: why the group can't be read, or why this program can't write it (`SharingError.newerVersion`).
  public func opened() async throws {
    let waiter = SharedWaiter<SharedPlace>(atMost: nil)
    worker.read(waiter)
    let place = try await waiter.value()
    try await reached(place)
    if let error = session.unreadable { throw error }
    if let error = session.refusal, case .newerVersion = error { throw error }
  }
}
