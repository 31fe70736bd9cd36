import Foundation

/// A member that a group saves together with its other members, whatever the type of its state.
protocol ArchivePart: AnyObject, Sendable {
  /// The key of the part in the group.
  var key: String { get }
  var cell: Cell { get }
  /// Returns the substance; `nil` if its deallocation has begun. In this case the part is saved once more, and incoming
  /// states are not installed.
  var substance: @Sendable () -> AnySubstance? { get }

  /// The content of the part that a state is written as.
  ///
  /// - Parameters:
  ///   - state: a state of this part, from a snapshot.
  ///   - known: the encoded content of an earlier state.
  /// - Returns: an archive of this version of the state, without its entities.
  /// - Throws: why the state cannot be encoded.
  func content(of state: PinnedState, after known: PartContent?) throws(ArchiveError) -> PartContent

  /// Encodes a state of this part as a whole archive.
  ///
  /// - Throws: why the state cannot be encoded.
  func encode(_ state: PinnedState) throws(ArchiveError) -> Data

  /// The state of an archive, whichever process wrote it.
  ///
  /// - Throws: why it cannot be used.
  func state(of content: PartContent) throws(ArchiveError) -> PinnedState

  /// Performs a record of another process on the encoded content of a state.
  ///
  /// - Returns: the new encoded content of the state. It is `nil` if it cannot be determined without the whole archive,
  ///   or if the record has properties that this version of the state does not know.
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

/// Returns a consistent snapshot of the states of parts; `nil` for a part that must not be saved now. Called on a queue
/// of the group; must not wait for anything that waits for the group.
typealias ArchivePartSnapshot =
  @Sendable (_ parts: [any ArchivePart]) -> [PinnedState?]

/// States that other processes have written, on their way to the parts. The states are installed by one operation,
/// either all or none.
struct ArchiveDelivery: Sendable {
  /// The new states of parts.
  let items: [GroupContents.Incoming]
  /// Call with the items whose states are as expected, right before they are installed. It takes a lock briefly. If it
  /// returns `false`, newer states are on their way.
  let willInstall: @Sendable ([GroupContents.Incoming]) -> Bool
  /// Call instead if the states are not as expected: the delivery is computed again.
  let isStale: @Sendable () -> Void
}
