import Foundation

/// A member of a group of archives, whatever the type of its state. The group saves it together with its other members.
protocol ArchivePart: AnyObject, Sendable {
  /// The key of the part in the group.
  var key: String { get }
  var cell: Cell { get }
  /// A closure that returns the substance, or `nil` if its deallocation has begun. In this case the state is saved once
  /// more, and incoming states are not installed.
  var substance: @Sendable () -> AnySubstance? { get }

  /// Encodes a state as the content of this member's part of the archive.
  ///
  /// - Parameters:
  ///   - state: a state of this part, from a snapshot.
  ///   - known: the encoded content of an earlier state.
  /// - Returns: an archive in this version of the state, with the entities kept separately.
  /// - Throws: why the state cannot be encoded.
  func content(of state: PinnedState, after known: PartContent?) throws(ArchiveError) -> PartContent

  /// Encodes a state of this part as a whole archive.
  ///
  /// - Throws: why the state cannot be encoded.
  func encode(_ state: PinnedState) throws(ArchiveError) -> Data

  /// Decodes the state of a content, whichever process wrote the content.
  ///
  /// - Throws: why the content cannot be used.
  func state(of content: PartContent) throws(ArchiveError) -> PinnedState

  /// Applies a journal record of another process to the encoded content of a state.
  ///
  /// - Returns: the new encoded content of the state. It is `nil` if it cannot be determined without the whole archive.
  ///   It is also `nil` if the record has properties that this version of the state does not know.
  func perform(_ record: Data, on content: PartContent) -> PartContent?

  /// Merges an archive that was changed here and elsewhere.
  ///
  /// - Parameters:
  ///   - base: the common ancestor of both.
  ///   - mine: the content as changed here.
  ///   - theirs: the content that another process has written.
  /// - Returns: the archive with both changes.
  /// - Throws: why the contents cannot be merged.
  func merge(base: PartContent, mine: PartContent, theirs: PartContent) throws(ArchiveError) -> PartContent
}

/// A closure that returns a consistent snapshot of the members' states, with `nil` for a member that must not be saved
/// now. It is called on a queue of the group. It must not wait for anything that waits for the group.
typealias ArchivePartSnapshot =
  @Sendable (_ parts: [any ArchivePart]) -> [PinnedState?]

/// States that other processes have written, on their way to the parts. Each flux installs its states by one operation,
/// either all of them or none.
struct ArchiveDelivery: Sendable {
  /// The new states of parts.
  let items: [GroupContents.Incoming]
  /// The contents of the group. A later delivery of them has computed everything again.
  let group: GroupContents
  /// Announces that states of other processes are about to be installed. Call it right before the installation, with
  /// these states, after a check that each substance still has the expected state. It takes a lock briefly. If it
  /// returns `false`, newer states are on their way, and nothing may be installed.
  let willInstall: @Sendable ([GroupContents.Incoming]) -> Bool
  /// Reports that a substance has changed since its incoming state was computed. Call it instead of `willInstall`;
  /// nothing may be installed then. The delivery is computed again: at once, or, after several stale deliveries in
  /// succession, by the next save.
  let isStale: @Sendable () -> Void
}
