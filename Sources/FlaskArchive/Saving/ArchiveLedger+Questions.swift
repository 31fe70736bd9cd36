// Questions about the members, which change nothing.
extension ArchiveLedger {
  /// Whether the archive lacks the last change of a member.
  func isUnsaved(_ member: Member) -> Bool {
    switch member.phase {
    case .idle: return false
    case .opening(let isMixed): return isMixed
    case .active, .leaving, .released: break
    }
    guard member.change > max(saved(member), parts[member.place]?.purged ?? 0) else { return false }
    return !members.values.contains { $0.change > member.change && isSamePart($0, member) }
  }

  /// The rank of the state that is in the archive.
  ///
  /// Separate archives with one key are one archive, so what one owner has written counts for the other, too. Several
  /// groups with one name are a mistake.
  func saved(_ member: Member) -> Number {
    if writers[member.writer]?.isGroup == true { return parts[member.place]?.saved ?? 0 }
    return parts.reduce(0) { $1.key.key == member.key ? max($0, $1.value.saved) : $0 }
  }

  func isSamePart(_ a: Member, _ b: Member) -> Bool {
    a.key == b.key && (a.writer == b.writer || writers[a.writer]?.isGroup != true)
  }

  /// Notes whether a part may be written: it may not if it could not be read.
  mutating func setRefusal(of place: Place, _ error: ArchiveError?) {
    parts[place, default: Part()].refusal = error
  }

  /// The key of a member that was mixed while its archive is being read: nothing is saved before it was read.
  func blocker(of writer: Writer) -> String? {
    members.filter { $0.value.writer == writer && $0.value.phase == .opening(isMixed: true) }
      .min { $0.key < $1.key }?.value.key
  }

  /// Whether the archive lacks changes of members that a writer saves.
  ///
  /// - Parameter isOpeningIncluded: whether members count that were mixed while their archive is being read.
  func isUnsaved(_ writer: Writer, isOpeningIncluded: Bool = true) -> Bool {
    if writers[writer]?.isContentUnknown == true { return true }
    return members.values.contains {
      $0.writer == writer && isUnsaved($0) && (isOpeningIncluded || $0.phase != .opening(isMixed: true))
    }
  }
}
