internal import FlaskPrimitives
import Foundation

/// Watches some files of a folder by the system's file events. While the folder does not exist, the nearest existing
/// parent folder is watched.
///
/// Any thread may call `begin()` and `end()`, and events may arrive on any thread.
final class FileObservation: Sendable {
  private struct Status {
    /// The watches of the watched folder and of its parent folder.
    var watches: [ArchiveObservation] = []
    var watched = ""
    var isEnded = false
  }

  private let folder: String
  private let names: Set<String>
  private let onChange: @Sendable (ArchiveError?) -> Void
  private let status = Lock(Status())

  init(of names: Set<String>, in folder: String, onChange: @escaping @Sendable (ArchiveError?) -> Void) {
    self.folder = folder
    self.names = names
    self.onChange = onChange
  }

  /// Begins to watch.
  ///
  /// - Throws: `ArchiveError.system` if the system cannot.
  func begin() throws(ArchiveError) {
    while true {
      let (path, watch) = try nearest()
      let watches = [watch] + (watchAbove(path).map { [$0] } ?? [])
      let old = status.withLock { status in
        let old = status.watches
        status.watches = status.isEnded ? [] : watches
        status.watched = path
        return old
      }
      withExtendedLifetime((old, watches)) {}
      // A folder that was made before the watch began causes no event, so the function looks for it now.
      if path == folder || !isNearer(than: path) { return }
    }
  }

  /// Ends the watch.
  func end() {
    status.withLockReleasing { status in
      defer { status.watches = [] }
      status.isEnded = true
      return status.watches
    }
  }

  /// Watches the folder, or its nearest parent folder that exists.
  private func nearest() throws(ArchiveError) -> (path: String, watch: ArchiveObservation) {
    var path = folder
    while true {
      do throws(ArchiveError) {
        let watch = try FolderEvents.watch(path) { [weak self] in self?.receive($0) }
        return (path, watch)
      } catch {
        guard case .system(_, let code, _) = error, code == ENOENT || code == ENOTDIR, path != "/" else {
          throw error
        }
        path = (path as NSString).deletingLastPathComponent
        if path.isEmpty { path = "/" }
      }
    }
  }

  /// Watches the parent folder for the removal of a folder. While a file of the removed folder is open in any process,
  /// only the parent folder reports the removal.
  private func watchAbove(_ path: String) -> ArchiveObservation? {
    let name = (path as NSString).lastPathComponent
    let above = (path as NSString).deletingLastPathComponent
    guard path != "/" else { return nil }
    // A failure is ignored, since this user may not be allowed to read the parent folder.
    return try? FolderEvents.watch(above) { [weak self] event in
      if case .changed(name) = event { self?.receive(.gone) }
    }
  }

  /// Returns true if a folder on the path to the requested folder now exists that is nearer than the watched folder.
  private func isNearer(than watched: String) -> Bool {
    var path = folder
    while (path as NSString).deletingLastPathComponent != watched, path != "/", !path.isEmpty {
      path = (path as NSString).deletingLastPathComponent
    }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func receive(_ event: FolderEvents.Event) {
    let (watched, isEnded) = status.withLock { ($0.watched, $0.isEnded) }
    if isEnded { return }
    switch event {
    case .changed(let changed) where watched == folder:
      if changed.map(names.contains) ?? true { onChange(nil) }
      return
    case .changed:
      if !isNearer(than: watched) { return }
    case .gone: break
    case .failed(let error): return fail(error)
    }
    do throws(ArchiveError) {
      try begin()
      onChange(nil)
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: ArchiveError) {
    end()
    onChange(error)
  }
}
