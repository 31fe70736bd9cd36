import Foundation

/// A member of a group of archives, whatever the type of its state. The group saves it together with its other members.
protocol ArchivePart: AnyObject, Sendable {
  /// The key of the part in the group.
  var key: String { get }
  var cell: Cell { get }

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
}

/// A closure that returns a consistent snapshot of the members' states, with `nil` for a member that must not be saved
/// now. It is called on a queue of the group. It must not wait for anything that waits for the group.
typealias ArchivePartSnapshot =
  @Sendable (_ parts: [any ArchivePart]) -> [PinnedState?]
