internal import FlaskPrimitives
import Foundation

/// The claim of this process to a folder, by which it learns that another process uses it too.
///
/// All the archives of one folder in this process have one claim; it ends with the last of them, or with the process,
/// however that ends.
final class FolderClaim: Sendable {
  private typealias Folder = Lock<Weak>
  private struct Weak {
    weak var claim: FolderClaim?
  }

  private static let folders = WeakTable<String, Folder>()
  private static let fileName = ".owner"

  /// Whether another process claimed the folder before.
  let isContested: Bool

  private let file: OpenFile?

  // Kept for as long as there is a claim to it, so that the next request finds the claim.
  private let folder: Folder

  private init(to folder: Folder, at path: String) {
    self.folder = folder
    file = try? OpenFile(path + "/" + Self.fileName, O_RDWR | O_CREAT)
    isContested = (try? file?.lock(isWaiting: false)) == false
  }

  /// The claim to the folder at `path`, which must exist. Where nothing can be written there is nothing to contest.
  static func of(_ path: String) -> FolderClaim {
    let folder = folders.object(for: path) { Folder(Weak()) }
    // The lock of this folder alone is held while its file is opened: two claims of one process would contest each
    // other, and a folder that does not respond must not block the use of others.
    return folder.withLock { last in
      if let claim = last.claim, !claim.isContested { return claim }
      let claim = FolderClaim(to: folder, at: path)
      last.claim = claim
      return claim
    }
  }
}
