import Foundation

/// Reads archives from a backend, and quarantines archives that cannot be used.
struct ArchiveReader: Sendable {
  let backend: any ArchiveBackend
  let key: String

  /// The result of reading an archive. `file` is its content, if a save of the state would write the same now. `damage`
  /// is the damage of the journal.
  typealias Finding<State: Sendable> = (
    reading: ArchiveReading<State>, file: ArchiveFile?, damage: ArchiveFault.Kind?
  )

  /// Reads the archive. If the backend keeps journals, the journal is read too.
  func read<State>(as shape: ArchiveShape<State>) -> Finding<State> {
    let (data, journal): (Data, Data)
    do {
      guard let loaded = try loaded() else { return (recovered(as: shape), nil, nil) }
      (data, journal) = loaded
    } catch {
      return (.unreadable(ArchiveError(error)), nil, nil)
    }
    do throws(ArchiveError) {
      let read = try shape.decode(data, journal: journal, for: key)
      // The damaged archive is copied, but not removed: the next save writes the whole archive.
      let damage = read.damage.map {
        ArchiveFault.Kind.journalDamaged($0, setAside: setAside(data + journal, isRemoving: false))
      }
      return (.state(read.state), read.file, damage)
    } catch {
      if error.isTemporary { return (.unreadable(error), nil, nil) }
      return (.corrupt(error, setAside: setAside(data + journal)), nil, nil)
    }
  }

  /// The archive and its journal as bytes.
  func loaded() throws -> (archive: Data, journal: Data)? {
    if let backend = backend as? any JournalArchiveBackend { return try backend.loadWithJournal(key) }
    return try backend.load(key).map { ($0, Data()) }
  }

  /// Quarantines bytes: copies them to a free key, then removes them from the archive's own key. If an equal copy
  /// exists, since an earlier removal failed, they are not copied again.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - isRemoving: whether the bytes are under the archive's own key, and are removed from it.
  /// - Returns: the key of the copy, or `nil` if the bytes could not be copied.
  func setAside(_ data: Data, isRemoving: Bool = true) -> String? {
    for number in 1...ArchiveKey.setAsideLimit {
      let copy = ArchiveKey.setAside(key, number: number)
      do {
        let present = try backend.load(copy)
        guard present == nil || present == data else { continue }
        if present == nil { try backend.save(data, for: copy) }
      } catch {
        return nil
      }
      // The removal is best effort, since the copy is durable already. If the removal fails, the next save overwrites
      // the leftover.
      if isRemoving { try? backend.remove(key) }
      return copy
    }
    return nil
  }

  /// Returns the newest quarantined state that can be used now. This version of the app may have an initial value or a
  /// migration that an earlier version lacked.
  private func recovered<State>(as shape: ArchiveShape<State>) -> ArchiveReading<State> {
    var reading = ArchiveReading<State>.absent
    for number in 1...ArchiveKey.setAsideLimit {
      let found: Data?
      // The copy may be the state: it must not be taken for absent, and written over by a newer one.
      do { found = try backend.load(ArchiveKey.setAside(key, number: number)) } catch {
        return .unreadable(ArchiveError(error))
      }
      guard let copy = found else { break }
      let (archive, journal) = ArchiveFormat.split(copy)
      do throws(ArchiveError) {
        let read = try shape.decode(archive, journal: journal, for: key)
        if read.damage == nil { reading = .state(read.state) }
      } catch {
        if error.isTemporary { return .unreadable(error) }
      }
    }
    return reading
  }

  /// Whether there is no archive but a quarantined copy of one.
  var isSetAside: Bool {
    let copy = ArchiveKey.setAside(key, number: 1)
    guard (try? backend.load(key)) == .some(nil), let data = try? backend.load(copy) else { return false }
    // An archive whose header has this very key belongs to another substance.
    return (try? ArchiveFormat.unwrap(data))?.header.key != copy
  }

  /// Removes all quarantined copies, so that they are not read again. Best effort.
  func removeSetAside() {
    for number in 1...ArchiveKey.setAsideLimit {
      let copy = ArchiveKey.setAside(key, number: number)
      guard let data = try? backend.load(copy) else { return }
      // An archive whose header has this very key is not removed: it belongs to another substance.
      if (try? ArchiveFormat.unwrap(data))?.header.key != copy { try? backend.remove(copy) }
    }
  }
}
