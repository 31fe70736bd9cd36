public import Foundation

/// A place whose archives are read on another thread, after their substances have been made. For large archives, so
/// that an app does not wait for them when it starts.
///
/// ```swift
/// let board = Substance<Board>(name: "board", archive: true, in: DeferredArchive(FileArchive()))
/// await board.opened()
/// ```
/// Until then a substance has its initial state. The archived state arrives as one operation (kind `arrival` in a
/// trace). Observers and reactors are notified of it, and undo skips it.
///
/// The substance can be mixed before. A key in which the state then differs from the initial state keeps its value;
/// every other key, also one that was mixed and mixed back, gets the archived value. Below optionals, in dictionaries
/// and in `Entities` this holds for each nested key; an array is one value. An undo, a rollback, and an optimistic
/// change that fails lead to the archived values, also after the arrival.
///
/// Nothing is saved before the archived state has arrived, and the substance is retained until then. A normal end of
/// the process waits up to five seconds for it, and then reports the losses. A migration runs on the thread that reads.
///
/// An `ArchiveGroup` in such a place reads all its members this way. A group in another place reads so only the members
/// that are made in a `DeferredArchive` of the group. As `Flask.defaultArchive` it applies to all substances without a
/// place of their own.
public struct DeferredArchive: ArchiveBackend {
  let place: any ArchiveBackend

  /// - Parameter place: the backend that keeps the archives.
  public init(_ place: any ArchiveBackend) { self.place = (place as? DeferredArchive)?.place ?? place }

  /// That of the place.
  public var location: String { place.location }

  /// Reads the bytes from the wrapped backend, on the calling thread.
  public func load(_ key: String) throws -> Data? { try place.load(key) }
  /// Saves in the place.
  public func save(_ data: Data, for key: String) throws { try place.save(data, for: key) }
  /// Removes from the place.
  public func remove(_ key: String) throws { try place.remove(key) }
  /// Lists the keys of the wrapped backend that begin with the prefix.
  public func keys(withPrefix prefix: String) throws -> [String] { try place.keys(withPrefix: prefix) }
  /// Returns the warning of the wrapped backend, if there is one.
  public func takeWarning() -> ArchiveError? { place.takeWarning() }
}
