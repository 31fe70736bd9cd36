internal import Foundation

/// A folder for the recording of this process, which no other user can read.
///
/// It is removed at the end. What a process has left, since it was killed or has ended without `Inspector.stop()`, is
/// removed when the next process makes its own: whoever lives holds a lock in it. Numbers of processes would not tell,
/// since those of containers that share a folder are not one another's.
struct RecordingFolder {
  private static let prefix = "flask-inspector-"
  private static let lockName = "lock"

  private let url: URL
  /// Locked for as long as this is held.
  private let lock: FileHandle
  /// Where the recording is.
  var file: URL { url.appending(path: "recording.flask") }

  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    RecordingFolder.removeAbandoned(in: parent)
    let name = UUID().uuidString
    url = parent.appending(path: RecordingFolder.prefix + name)
    // Under another name until it is locked, so that nobody takes it for one that was left.
    let new = parent.appending(path: ".\(name)")
    try FileManager.default.createDirectory(
      at: new,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    let path = new.appending(path: RecordingFolder.lockName).path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    lock = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
    try FileManager.default.moveItem(at: new, to: url)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  private static func removeAbandoned(in parent: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
      let url = parent.appending(path: name)
      guard name.hasPrefix(prefix) else { continue }
      let descriptor = open(url.appending(path: lockName).path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: url) }
      close(descriptor)
    }
  }
}
