import Foundation

/// The exclusive right to change a folder of archives, among all processes, until it is released.
struct WriteLock: ~Copyable {
  private let file: OpenFile

  private init(_ file: consuming OpenFile) {
    self.file = file
  }

  deinit {
    file.unlock()
  }

  /// Waits for the lock.
  ///
  /// - Throws: `ArchiveError.system`.
  static func waiting(in folder: String) throws(ArchiveError) -> WriteLock {
    let file = try OpenFile(path(in: folder), O_RDWR | O_CREAT)
    _ = try file.lock(isWaiting: true)
    return WriteLock(file)
  }

  /// Takes the lock if it is free; `nil` if it is not, or if it cannot be taken.
  static func ifFree(in folder: String) -> WriteLock? {
    do throws(ArchiveError) {
      let file = try OpenFile(path(in: folder), O_RDWR | O_CREAT)
      guard try file.lock(isWaiting: false) else { return nil }
      return WriteLock(file)
    } catch {
      return nil
    }
  }

  private static func path(in folder: String) -> String { folder + "/.lock" }
}
