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
