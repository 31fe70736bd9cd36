package import Foundation

/// One of those that a group saves together, whatever the type of its state.
package protocol ArchivePart: AnyObject, Sendable {
  /// The key of its archive in the group.
  var key: String { get }

  /// The archive of a state of this part.
  ///
  /// - Parameter state: what a snapshot gave for this part.
  /// - Returns: header and text, as an archive of its own has them.
  /// - Throws: why the state cannot be encoded.
  func encode(_ state: any ArchivePartState) throws(ArchiveError) -> Data

  /// The state of an archive that another process has written.
  ///
  /// - Parameter bytes: header and text, of this version of the state.
  /// - Throws: why it cannot be used.
  func decode(_ bytes: Data) throws(ArchiveError) -> any ArchivePartState

  /// What becomes of an archive that has been changed here and elsewhere.
  ///
  /// - Parameters:
  ///   - base: what both have begun with.
  ///   - mine: what has become of it here.
  ///   - theirs: what another process has written.
  /// - Returns: the archive with both changes.
  /// - Throws: why there is none.
  func merge(base: Data, mine: Data, theirs: Data) throws(ArchiveError) -> Data
}

/// The state of a part at one moment. It stays as it is for as long as this object lives.
package protocol ArchivePartState: AnyObject, Sendable {
  /// What tells this state from every other of the part, for as long as both objects live. Two that are the same have
  /// the same bytes, and need not be encoded again.
  var identity: ObjectIdentifier { get }
}

/// Gives the states of parts as they all were at one moment; `nil` for a part that is not to be saved now. Called on a
/// queue of the group; must not wait for anything that waits for the group.
package typealias ArchivePartSnapshot =
  @Sendable (_ parts: [any ArchivePart]) -> [(any ArchivePartState)?]

/// States that have come from elsewhere, on their way to the parts: all of them or none, as one operation.
package struct ArchiveDelivery: Sendable {
  /// What one part is to become.
  package struct Item: Sendable {
    /// The part.
    package let part: any ArchivePart
    /// The state that the new one was worked out from. If the part has another one meanwhile, nothing is delivered.
    package let expected: any ArchivePartState
    /// The new state.
    package let new: any ArchivePartState
  }

  /// The parts.
  package let items: [Item]
  /// To be called with parts whose states are as expected, right before they become the new ones. It takes a lock for a
  /// moment. If it says no, others are on their way.
  package let willInstall: @Sendable (_ parts: [any ArchivePart]) -> Bool
  /// To be called instead if the states are not as expected: it is all worked out anew.
  package let isStale: @Sendable () -> Void
}
