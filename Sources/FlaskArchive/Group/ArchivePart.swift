import Foundation

/// One of those that a group saves together, whatever the type of its state.
protocol ArchivePart: AnyObject, Sendable {
  /// The key of its archive in the group.
  var key: String { get }
  var cell: Cell { get }
  /// Gives the substance unless it has begun to go: it is saved once more then, and takes nothing in.
  var substance: @Sendable () -> AnySubstance? { get }

  /// The content of the part that a state is written as.
  ///
  /// - Parameters:
  ///   - state: what a snapshot gave for this part.
  ///   - known: what an earlier state was written as.
  /// - Returns: an archive of this version of the state, without its entities.
  /// - Throws: why the state cannot be encoded.
  func content(of state: PinnedState, after known: PartContent?) throws(ArchiveError) -> PartContent

  /// The whole archive of a state of this part.
  ///
  /// - Throws: why the state cannot be encoded.
  func encode(_ state: PinnedState) throws(ArchiveError) -> Data

  /// The state of an archive, whichever member wrote it.
  ///
  /// - Throws: why it cannot be used.
  func state(of content: PartContent) throws(ArchiveError) -> PinnedState

  /// The content that a record of another process makes of the content of a state.
  ///
  /// - Returns: the new encoded content of the state; `nil` if it cannot be determined without the whole, or the record
  ///   has more than this version of the state knows.
  func perform(_ record: Data, on content: PartContent) -> PartContent?

  /// Merges an archive that was changed here and elsewhere.
  ///
  /// - Parameters:
  ///   - base: what both have begun with.
  ///   - mine: what has become of it here.
  ///   - theirs: what another process has written.
  /// - Returns: the archive with both changes.
  /// - Throws: why there is none.
  func merge(base: PartContent, mine: PartContent, theirs: PartContent) throws(ArchiveError) -> PartContent
}

/// Gives the states of parts as they all were at one moment; `nil` for a part that is not to be saved now. Called on a
/// queue of the group; must not wait for anything that waits for the group.
typealias ArchivePartSnapshot =
  @Sendable (_ parts: [any ArchivePart]) -> [PinnedState?]

/// States that have come from elsewhere, on their way to the parts: all of them or none, as one operation.
struct ArchiveDelivery: Sendable {
  /// The new states of parts.
  let items: [GroupContents.Arriving]
  /// Call with the items whose states are as expected, right before they are installed. It takes a lock briefly. If it
  /// returns `false`, newer states are on their way.
  let willInstall: @Sendable ([GroupContents.Arriving]) -> Bool
  /// Call instead if the states are not as expected: the delivery is computed again.
  let isStale: @Sendable () -> Void
}
