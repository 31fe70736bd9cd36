internal import FlaskPrimitives
import Foundation

/// The claim of this process to a folder, by which it learns that another process uses it too.
///
/// All the archives of one folder in this process have one claim; it ends with the last of them, or with the process,
/// however that ends.
final class FolderClaim: Sendable {
  private static let folders = WeakTable<String, Folder>()
  private static let fileName = ".owner"

  /// Whether another process claimed the folder before.
  let isContested: Bool

  private let file: HeldFile?

  // Kept for as long as there is a claim to it, so that the next who asks finds the claim.
  private let folder: Folder

  private init(to folder: Folder, at path: String) {
    self.folder = folder
    let held = HeldFile(path + "/" + Self.fileName)
    file = held
    isContested = held?.isContested ?? false
  }

  /// The claim to the folder at `path`, which must exist. Where nothing can be written there is nothing to contest.
  static func of(_ path: String) -> FolderClaim {
    let folder = folders.object(for: path) { Folder() }
    // The lock of this folder alone is held while its file is opened: two claims of one process would contest each
    // other, and a folder that does not answer must not keep those waiting who use another one.
    return folder.claim.withLock { entry in
      if let claim = entry.claim, !claim.isContested { return claim }
      let claim = FolderClaim(to: folder, at: path)
      entry.claim = claim
      return claim
    }
  }

  private final class Folder: Sendable {
    struct Entry {
      weak var claim: FolderClaim?
    }

    let claim = Lock(Entry())
  }

  private final class HeldFile: Sendable {
    let isContested: Bool
    private let file: OpenFile

    init?(_ path: String) {
      guard let file = try? OpenFile(path, O_RDWR | O_CREAT), let isTaken = try? file.lock(isWaiting: false)
      else {
        return nil
      }
      self.file = file
      isContested = !isTaken
    }
  }
}
