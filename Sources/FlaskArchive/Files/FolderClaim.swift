internal import FlaskPrimitives
import Foundation

/// The claim of this process to a folder. A second process detects by the claim that the folder is in use.
///
/// All archives of one folder in this process share one claim. The claim ends with the last archive, or with the
/// process, whether it exits or is killed.
final class FolderClaim: Sendable {
  private typealias Folder = Lock<Weak>
  private struct Weak {
    weak var claim: FolderClaim?
  }

  private static let folders = WeakTable<String, Folder>()
  private static let fileName = ".owner"

  /// Whether another process already had a claim to the folder.
  let isContested: Bool

  private let file: OpenFile?

  // The table entry of the folder is retained while the claim is in use, so that the next request finds the claim.
  private let folder: Folder

  private init(to folder: Folder, at path: String) {
    self.folder = folder
    file = try? OpenFile(path + "/" + Self.fileName, O_RDWR | O_CREAT)
    isContested = (try? file?.lock(isWaiting: false)) == false
  }

  /// Returns the claim to the folder at `path`, which must exist. In a folder that this process cannot write to, the
  /// claim is never contested.
  static func of(_ path: String) -> FolderClaim {
    let folder = folders.object(for: path) { Folder(Weak()) }
    // The file `.owner` is opened under a lock, since two claims of one process would contest each other. The lock is
    // that of this folder only, since a folder that does not respond must not block other folders.
    return folder.withLock { last in
      if let claim = last.claim, !claim.isContested { return claim }
      let claim = FolderClaim(to: folder, at: path)
      last.claim = claim
      return claim
    }
  }
}
