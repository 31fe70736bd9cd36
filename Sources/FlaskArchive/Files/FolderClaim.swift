import Foundation

/// The claim of this process to a folder, by which it learns that another process uses it too.
///
/// All the archives of one folder in this process have one claim; it ends with the last of them, or with the process,
/// however that ends.
final class FolderClaim: Sendable {
  private static let claims = Lock([String: WeakClaim]())
  private static let fileName = ".owner"

  /// Whether another process claimed the folder before.
  let isContested: Bool

  private let file: HeldFile?

  private init(_ folder: String) {
    let held = HeldFile(folder + "/" + Self.fileName)
    file = held
    isContested = held?.isContested ?? false
  }

  /// The claim to `folder`, which must exist. Where nothing can be written there is nothing to contest.
  static func of(_ folder: String) -> FolderClaim {
    claims.withLock { claims in
      if let claim = claims[folder]?.claim, !claim.isContested { return claim }
      let claim = FolderClaim(folder)
      claims[folder] = WeakClaim(claim: claim)
      return claim
    }
  }

  private struct WeakClaim {
    weak var claim: FolderClaim?
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
