import Foundation

/// Reads archives from a backend, and sets aside those that cannot be used.
struct ArchiveReader: Sendable {
  let backend: any ArchiveBackend
  let key: String

  /// Reads the archive.
  ///
  /// - Returns: what came of it; and its bytes, if they are just what saving the state would write now.
  func read<State>(as shape: ArchiveShape<State>) -> (reading: ArchiveReading<State>, current: Data?) {
    let data: Data
    do {
      guard let loaded = try backend.load(key) else { return (.absent, nil) }
      data = loaded
    } catch {
      return (.unreadable(ArchiveError(error)), nil)
    }
    do throws(ArchiveError) {
      let (state, isCurrent) = try shape.decode(data, for: key)
      return (.state(state), isCurrent ? data : nil)
    } catch {
      return (.corrupt(error, setAside: setAside(data)), nil)
    }
  }

  /// Copies the bytes to a free key, then takes them from the archive's own. Bytes that were set aside before, and
  /// could not be taken away then, are not copied again.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - isRemoving: whether they stand under the archive's own key.
  /// - Returns: the other key, or `nil` if they could not be copied.
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
      // Best effort: the next save writes over what is left, and the copy is durable.
      if isRemoving { try? backend.remove(key) }
      return copy
    }
    return nil
  }
}

/// What came of reading an archive.
public enum ArchiveReading<State: Sendable>: Sendable {
  /// There is no archive: the initial state is right.
  case absent

  /// The state of the archive.
  case state(State)

  /// There may be an archive, but it cannot be read now. Nothing may be written over it.
  case unreadable(ArchiveError)

  /// The archive cannot be used. Its bytes are kept under the key `setAside`, and are gone from the archive's own; or
  /// they could not be copied, `setAside` is `nil`, and nothing may be written over them.
  case corrupt(ArchiveError, setAside: String?)
}
