public import Foundation

/// A place whose archives are read on a separate thread, after their substances have been made. For large archives, so
/// that an app does not wait for them when it starts.
///
/// ```swift
/// let board = Substance<Board>(name: "board", archive: true, in: DeferredArchive(FileArchive()))
/// await board.opened()
/// ```
/// Until then a substance has its initial state. The archived state comes in as one operation (`arrival` in a trace).
/// Observers and reactors are notified of it, and undo skips it.
///
/// The substance can be mixed before. Each key that a mix has named keeps its mixed value; all others get the archived
/// one. Below optionals, in dictionaries and in `Entities` this holds for each nested key; an array is one value.
///
/// Nothing is saved before the state has come in, and the substance is retained until then. A normal end of the process
/// waits up to five seconds for it, and then reports the losses. A migration runs on the thread that reads.
///
/// An `ArchiveGroup` in such a place reads all its members this way; any other group only the members that are made in
/// a `DeferredArchive` of the group. As `Flask.defaultArchive` it applies to all substances without a place of their
/// own.
public struct DeferredArchive: ArchiveBackend {
  let place: any ArchiveBackend

  /// - Parameter place: where the archives are.
  public init(_ place: any ArchiveBackend) { self.place = (place as? DeferredArchive)?.place ?? place }

  /// That of the place.
  public var location: String { place.location }

  /// Reads in the place, at once.
  public func load(_ key: String) throws -> Data? { try place.load(key) }
  /// Saves in the place.
  public func save(_ data: Data, for key: String) throws { try place.save(data, for: key) }
  /// Removes from the place.
  public func remove(_ key: String) throws { try place.remove(key) }
  /// Lists the keys of the place.
  public func keys(withPrefix prefix: String) throws -> [String] { try place.keys(withPrefix: prefix) }
  /// The warning of the place, if it has one.
  public func takeWarning() -> ArchiveError? { place.takeWarning() }
}
