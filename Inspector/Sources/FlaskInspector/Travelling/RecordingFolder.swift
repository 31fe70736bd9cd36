internal import Foundation

/// A folder for the recording of this process, which no other user can read.
///
/// It is removed at the end. What a process has left, since it was killed or has ended without `Inspector.stop()`, is
/// removed when the next process makes its own.
struct RecordingFolder {
  private static let prefix = "flask-inspector-"

  private let url: URL
  /// Where the recording is.
  var file: URL { url.appending(path: "recording.flask") }

  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    RecordingFolder.removeAbandoned(in: parent)
    url = parent.appending(path: "\(RecordingFolder.prefix)\(getpid())-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  private static func removeAbandoned(in parent: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
      guard name.hasPrefix(prefix),
        let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), process > 0
      else { continue }
      // One of another user is there, too: `EPERM`.
      if kill(process, 0) != 0 && errno == ESRCH {
        try? FileManager.default.removeItem(at: parent.appending(path: name))
      }
    }
  }
}
