internal import FlaskPrimitives
import Foundation

/// The claim of this process to a folder. By it the process learns that another process uses the folder too.
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

  // Kept while a claim to the folder is in use, so that the next request finds the claim.
  private let folder: Folder

  private init(to folder: Folder, at path: String) {
    self.folder = folder
    file = try? OpenFile(path + "/" + Self.fileName, O_RDWR | O_CREAT)
    isContested = (try? file?.lock(isWaiting: false)) == false
  }

  /// The claim to the folder at `path`, which must exist. Where nothing can be written there is nothing to contest.
  static func of(_ path: String) -> FolderClaim {
    let folder = folders.object(for: path) { Folder(Weak()) }
    // Only the lock of this folder is held while the file `.owner` in the folder is opened. Two claims of one process
    // would contest each other, and a folder that does not respond must not block the use of other folders.
    return folder.withLock { last in
      if let claim = last.claim, !claim.isContested { return claim }
      let claim = FolderClaim(to: folder, at: path)
      last.claim = claim
      return claim
    }
  }
}
