@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff

/// What follows from the substances that an operation changes. All are owned.
struct CommitFollowers {
  /// Those that take part.
  var concerned: [Borrowed<CommitFollower>] = []
  /// Those that nobody listened to when they were asked.
  var unheard: [Borrowed<CommitFollower>] = []
  /// `Followers.additions` before they were looked for.
  var additions = 0

  var isEmpty: Bool { concerned.isEmpty && unheard.isEmpty }

  /// Whether there may be others by now that are to be told.
  var mayBeLate: Bool { !unheard.isEmpty || additions != Followers.additions }

  mutating func removeAll() {
    // In place: another operation needs the memory.
    while let follower = concerned.popLast() { follower.release() }
    while let follower = unheard.popLast() { follower.release() }
  }
}

extension [Borrowed<CommitFollower>] {
  /// Puts them in the order in which they were made, and leaves each of them once.
  fileprivate mutating func sortAndUnite() {
    sort { a, b in a.use { $0.serial } < b.use { $0.serial } }
    var last: Borrowed<CommitFollower>?
    removeAll { follower in
      defer { last = follower }
      guard let last, last == follower else { return false }
      follower.release()
      return true
    }
  }
}

// What follows from what changes is committed with it.
extension FluxTransaction {
  /// Has what follows from the changed substances take part.
  @inline(never)
  func enlistFollowers() {
    followers.pointee.additions = Followers.additions
    var followed = 0
    forEachEnlisted {
      guard $0.changes.pointee.hasDirty else { return }
      drafts.addDraft($0)
      if $0.hasNotice(Participant.Notice.derived) {
        Followers.willPublish($0, telling: &followers.pointee.concerned)
        followed += 1
      }
    }
    defer { drafts.endDrafts() }
    // One alone is most often all that there is (fast path).
    if followers.pointee.concerned.count == 1 {
      let only = followers.pointee.concerned[0]
      switch only.use({ $0.prepare(for: drafts) }) {
      case .value: drafts.performOnDrafts { refresh(only, at: $0) }
      case .unheard: followers.pointee.unheard.append(followers.pointee.concerned.removeLast())
      case .none: followers.pointee.concerned.removeLast().release()
      }
      return
    }
    // Of one substance each follows once, and they are in order.
    if followed > 1 { followers.pointee.concerned.sortAndUnite() }
    // What was there before is asked for first, while nothing else than that is committed.
    followers.pointee.concerned.removeAll { follower in
      switch follower.use({ $0.prepare(for: drafts) }) {
      case .value: return false
      case .unheard: followers.pointee.unheard.append(follower)
      case .none: follower.release()
      }
      return true
    }
    if followers.pointee.concerned.isEmpty { return }
    drafts.performOnDrafts { moment in
      for follower in followers.pointee.concerned { refresh(follower, at: moment) }
    }
  }

  private func refresh(_ follower: Borrowed<CommitFollower>, at moment: Moment) {
    if let new = follower.use({ isOfThisFlux($0) ? $0.refresh(at: moment) : nil }) { append(new) }
  }

  func isOfThisFlux(_ follower: CommitFollower) -> Bool { follower.flux.snapshots === snapshots }

  /// After all has been published: somebody may have begun to listen after that was asked, and have read the value
  /// before. What that is to be told of takes part after all.
  @inline(never)
  func enlistLateFollowers() {
    var late: [Borrowed<CommitFollower>] = []
    swap(&late, &followers.pointee.unheard)
    defer { followers.pointee.unheard += late }
    forEachEnlisted {
      guard $0.changes.pointee.hasDirty else { return }
      drafts.addDraft($0)
      if $0.hasNotice(Participant.Notice.derived) { Followers.add(of: $0, to: &late) }
    }
    late.sortAndUnite()
    let known = Set(followers.pointee.concerned.map { ObjectIdentifier($0.object) })
    var heard: [Borrowed<CommitFollower>] = []
    drafts.performBeforeDrafts { moment in
      heard = late.filter { follower in
        follower.use { !known.contains(ObjectIdentifier($0)) && $0.prepareLate(at: moment) }
      }
    }
    drafts.endDrafts()
    for follower in heard {
      follower.use { follower in
        guard isOfThisFlux(follower) else { return follower.refreshLater() }
        guard let new = follower.refreshNow() else { return }
        append(new)
        new.publish()
        if new.isToBePublished { new.didPublish() }
      }
    }
  }
}
