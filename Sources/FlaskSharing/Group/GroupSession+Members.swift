internal import FlaskPrimitives

extension GroupSession {
  enum Joining {
    case joined
    /// An earlier part of this key has yet to be saved. The new one becomes a member after that.
    case later
    /// The group has a living part of this key.
    case refused
  }

  /// Adds a part. Until `open(_:with:)` is called, nothing is saved or installed.
  func join(_ part: SharedPart) -> Joining {
    change { shared in
      guard let present = shared.parts[part.key] else {
        shared.members[part.key] = part
        shared.parts[part.key] = PartVersions(part.initial)
        return .joined
      }
      guard present.stage == .released, shared.successors[part.key] == nil else { return .refused }
      shared.successors[part.key] = Successor(part: part)
      return .later
    }
  }

  /// The state to install in a substance that is joining, and its outline; `nil` if the database has none, or was not
  /// read.
  func firstState(of part: SharedPart) throws(ArchiveError) -> (state: PinnedState, outline: StateOutline)? {
    let versions = shared.withLock { $0.members[part.key] === part ? $0.parts[part.key] : nil }
    guard let versions, case .present = versions.presence else { return nil }
    return (try part.state(of: versions.truth), versions.truth)
  }

  /// A substance that was joining is complete.
  ///
  /// - Parameter outline: that of the state that was installed; `nil` if it has its initial state.
  func open(_ part: SharedPart, with outline: StateOutline?) {
    change { shared in
      if shared.successors[part.key]?.part === part { shared.successors[part.key]?.isOpen = true }
      guard shared.members[part.key] === part, shared.parts[part.key]?.stage == .joining else { return }
      shared.parts[part.key]?.stage = .open
      if let outline { shared.parts[part.key]?.handOver(outline, at: 0) }
    }
  }

  /// The substance was released. What is pending is saved, and nothing is installed any more.
  func release(_ part: SharedPart) {
    let dropped = change { shared -> Successor? in
      if shared.members[part.key] === part { shared.parts[part.key]?.stage = .released }
      guard shared.successors[part.key]?.part === part else { return nil }
      return shared.successors.removeValue(forKey: part.key)
    }
    guard let dropped, let outline = try? part.outline(of: PinnedState(part.cell.pinPresent())),
      !outline.isSame(as: dropped.part.initial)
    else { return }
    report(
      .archiveNotSaved,
      "what was changed in \(part.key) of the shared group \(name) is not saved: it was released before the earlier "
        + "substance of its name was saved"
    )
  }

  /// Removes a part whose substance was released. What is pending of it is not saved any more.
  func leave(_ part: SharedPart) {
    let (isMember, released) = change { shared -> (Bool, SharedPart?) in
      guard shared.members[part.key] === part else { return (false, nil) }
      let released = shared.members.removeValue(forKey: part.key)
      shared.parts[part.key] = nil
      if let successor = shared.successors.removeValue(forKey: part.key) {
        shared.members[part.key] = successor.part
        var versions = PartVersions(successor.part.initial)
        versions.stage = successor.isOpen ? .open : .joining
        shared.parts[part.key] = versions
      }
      return (true, released)
    }
    if isMember { tables[part.key] = nil }
    withExtendedLifetime(released) {}
  }

  /// The parts with a key in `keys` that have something pending.
  func pendingKeys(of parts: [SharedPart]) -> [String] {
    parts.compactMap { part in
      guard let versions = shared.withLock({ $0.members[part.key] === part ? $0.parts[part.key] : nil }),
        let outline = try? part.outline(of: PinnedState(part.cell.pinPresent()))
      else { return nil }
      return outline.isSame(as: versions.shadow) ? nil : part.key
    }
  }

  func part(of cell: Cell) -> SharedPart? { shared.withLock { $0.members.values.first { $0.cell === cell } } }

  var members: [String: SharedPart] { shared.withLock { $0.members } }

  /// The fluxes of the members, each once.
  var fluxes: [Flux] {
    var fluxes: [Flux] = []
    for part in members.values where !fluxes.contains(where: { $0 === part.cell.flux }) {
      fluxes.append(part.cell.flux)
    }
    return fluxes
  }

  /// Why this process can't write the group; `nil` if it can.
  var refusal: SharingError? {
    if isReadOnly { return .readOnly }
    return shared.withLock { shared in
      shared.version > coding.version ? .newerVersion(found: shared.version, known: coding.version) : nil
    }
  }

  /// The part that can't be read; `nil` if all can.
  var unreadable: SharingError? {
    shared.withLock { shared in
      for (key, versions) in shared.parts {
        if let error = versions.unusable { return .unreadable(part: key, error) }
        if case .unreadable(let error) = versions.presence { return .unreadable(part: key, error) }
      }
      return nil
    }
  }

  /// Whether a save is between its pinning and its outcome.
  var isSaving: Bool { shared.withLock { if case .saving = $0.phase { true } else { false } } }
}
