public import Foundation

/// Substances and stores that are archived together. Each save writes a consistent snapshot of all of them at once.
///
/// ```swift
/// let session = ArchiveGroup("session", in: FileArchive(directory: folder))
/// let cart = Substance<Cart>(name: "cart", archive: true, in: session)
/// let orders = Substance<Orders>(name: "orders", archive: true, in: session)
/// ```
/// A group can be passed wherever a backend can: substances and stores are made in a group as they are made in a
/// folder. Other archives in a group are parts too, but each save of such a part saves the whole group.
///
/// The changes that one operation makes to several members are therefore archived all or not at all, whenever the
/// process is killed. Each part is read, migrated, repaired and quarantined like a separate archive. An unusable part
/// leaves the other parts as they are. The parts of absent substances stay as they are.
///
/// The group lives as long as it is retained; its members retain it too. One place may have one live group of a name; a
/// second one is a fault. Any thread may call any method.
public final class ArchiveGroup: Sendable {
  /// The name of the group. The next run finds the archive by this name.
  public let name: String

  let archiver: GroupArchiver
  let backend: any ArchiveBackend
  let snapshots: GroupSnapshots
  /// True if the archives of members are read later, after the members were made: see `DeferredArchive`.
  let isDeferred: Bool
  /// The dispatch group that each member enters while its archive is being read.
  let readings = DispatchGroup()

  /// Makes a group without members. Nothing is read yet.
  ///
  /// - Parameters:
  ///   - name: the name, the same in each run. The key in the backend is `FxGroup.<name>`.
  ///   - backend: where it is archived; `nil` for `Flask.defaultArchive`.
  ///   - delay: how long after the last change of a member the group is saved. The delays of its members do not count.
  ///   - scheduler: the clock and the timer; the system's by default. A test passes its own.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public init(
    _ name: String,
    in backend: (any ArchiveBackend)? = nil,
    delay: Duration = .seconds(2),
    scheduler: (any ArchiveScheduler)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let flux = Flux.current
    let location = SourcePlace(fileID, line)
    let snapshots = GroupSnapshots()
    let place = backend ?? DefaultArchive.backend(of: flux)
    let backend = (place as? DeferredArchive)?.place ?? place
    isDeferred = place is DeferredArchive
    self.name = name
    self.backend = backend
    self.snapshots = snapshots
    archiver = GroupArchiver(
      name: name,
      place: location.description,
      in: backend,
      delay: delay,
      scheduler: scheduler ?? flux.defaultArchiveScheduler,
      onFault: { flux.report(FlaskFault.Kind($0), $0.description, at: location) },
      snapshot: { snapshots.states(of: $0) }
    )
  }

  /// Saves the current states of all members, and returns when they are durable. It may be called anywhere, also inside
  /// a handler, but not inside of a state's `encode(to:)`. The call waits for no operation: an operation that another
  /// thread has yet to perform is not included.
  ///
  /// - Returns: whether they are durable. If not, a fault says why.
  @discardableResult
  public func archiveNow() -> Bool { (try? archiver.archiveNow()) != nil }

  /// Saves all members, and suspends until they are durable. Mixes submitted before are included, even if another
  /// thread has yet to perform them, unless they wait for a lock.
  ///
  /// - Returns: whether they are durable. If not, a fault says why.
  @discardableResult
  public func archiveNow() async -> Bool {
    await passed()
    return (try? await archiver.archiveNow()) != nil
  }

  /// Saves all members, and returns when they are durable. Mixes submitted before are included, even if another thread
  /// has yet to perform them, unless they wait for a lock. A history's optimistic change that is pending is not
  /// included.
  ///
  /// - Throws: the reason why they are not known to be durable: if only the parts of some members could not be saved,
  ///   `ArchiveError.partsRefused` names them. It is not reported as a fault.
  public func save() async throws(ArchiveError) {
    await passed()
    try await archiver.save()
  }

  private func passed() async {
    if !isLocked { await readings.ended() }
    var passed: Set<ObjectIdentifier> = []
    for flux in archiver.contents.fluxes where passed.insert(ObjectIdentifier(flux)).inserted {
      await flux.passed()
    }
  }

  /// Suspends until the archived states of all members that are read later have been installed, or until the task is
  /// cancelled: see `DeferredArchive`.
  public func opened() async { if !isLocked { await readings.endedOrCancelled() } }

  /// Whether the running task holds a lock that the archived states wait for. That is reported.
  private var isLocked: Bool {
    archiver.contents.fluxes.contains { FluxOperation.isAwaitedUnderLock("an archive", in: $0) }
  }

  /// Removes the archive with all its parts, including parts of absent substances, and returns when the removal is
  /// done. The states of the members stay, and each is saved again after its next change.
  ///
  /// - Returns: whether it was removed. If not, a fault has the reason.
  @discardableResult
  public func purge() -> Bool {
    if readings.wait(timeout: .now()) == .success { return (try? archiver.purge()) != nil }
    archiver.report(.notRemoved(.refused(reason: "a member is being read; await `opened()` before")))
    return false
  }

  /// Adds an existing substance to the group. The substance keeps its state, and nothing is read: a part that an
  /// earlier run saved under its key is overwritten. A separate archive of the substance in the same backend is removed
  /// once the group is saved.
  ///
  /// A substance that is a member of another group leaves that group. The call then returns when the part is durable
  /// here and removed in the other group. In all other cases the call does not wait, and the part is saved after the
  /// delay of the group.
  ///
  /// A substance that should continue with the state in the group is made in the group instead.
  ///
  /// - Parameter substance: a substance with a name. A store must have called `archive()` in its initialiser.
  /// - Returns: whether it is a member now. If not, a fault says why.
  @discardableResult
  public func join<S>(_ substance: TypedSubstance<S>) -> Bool {
    substance.seatOrFault()?.move(substance, to: self) ?? false
  }

  /// Removes a member. From now on it has a separate archive in the backend of the group, and its part is removed from
  /// the group. Returns when both changes are durable. If the process ends in between, both archives exist.
  ///
  /// - Parameter substance: a member of this group. Nothing happens if the substance is not a member.
  /// - Returns: whether it has left. If not, a fault says why, and the substance is still a member.
  @discardableResult
  public func leave<S>(_ substance: TypedSubstance<S>) -> Bool {
    guard let seat = substance.archiver.present?.use({ $0.value as? ArchiveSeat }),
      seat.present?.group === self
    else {
      return true
    }
    return seat.move(substance, to: nil)
  }
}

extension ArchiveGroup: ArchiveBackend {
  /// The group and where it is.
  public var location: String { "group:\(name) in \(backend.location)" }

  /// Reads the bytes of a part.
  ///
  /// - Parameter key: the key of the part.
  /// - Returns: the bytes, or `nil` if the group has no part of this key.
  /// - Throws: why the group cannot be read now.
  public func load(_ key: String) throws -> Data? { try archiver.load(key) }

  /// Replaces the bytes of a part, and saves the group with the current states of its members.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key of the part.
  /// - Throws: the reason why the group is not known to be durable.
  public func save(_ data: Data, for key: String) throws { try archiver.save(data, for: key) }

  /// Removes a part, and saves the group with the current states of its members.
  ///
  /// - Parameter key: the key of the part.
  /// - Throws: the reason why the part may still exist.
  public func remove(_ key: String) throws { try archiver.save(nil, for: key) }

  /// Lists the keys of the parts that begin with a prefix.
  ///
  /// - Parameter prefix: the prefix of the keys.
  /// - Returns: the keys, sorted.
  /// - Throws: why the group cannot be read now.
  public func keys(withPrefix prefix: String) throws -> [String] { try archiver.keys(withPrefix: prefix) }
}
