public import Foundation

/// A place whose archives are read after their substances have been made, on a thread of their own: for large ones, in
/// what must not stand still meanwhile.
///
/// ```swift
/// let board = Substance<Board>(name: "board", archive: true, in: DeferredArchive(FileArchive()))
/// await board.opened()
/// ```
/// Until then a substance shows its initial state. What was read comes in as one operation (`arrival` in a trace), of
/// which observers and reactors are told, and which undo passes over. It can be mixed meanwhile: each key that was
/// named by a mix stays as it was mixed, all others become what was read; below optionals, in dictionaries and in
/// `Entities` key by key, while an array counts as a whole. Nothing is saved before, and the substance is held until
/// then; a normal end of the process waits for it, five seconds at most, and reports what is lost. A migration runs on
/// the thread that reads.
///
/// Of an `ArchiveGroup` all members are read so if the group is in such a place, or one alone that is made in a
/// `DeferredArchive` of the group. As `Flask.defaultArchive` it counts for all substances without a place of their own.
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
