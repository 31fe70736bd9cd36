@_spi(Checks) import FlaskArchive
import Foundation

/// Writes over the old bytes in place: what the checks must catch.
struct InPlaceArchive: ArchiveBackend {
  let folder: String

  private var path: String { folder + "/in-place.archive" }

  func load(_ key: String) throws -> Data? {
    FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: URL(fileURLWithPath: path)) : nil
  }

  func save(_ data: Data, for key: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    for start in stride(from: 0, to: data.count, by: 1_024) {
      try file.write(contentsOf: data[start..<min(start + 1_024, data.count)])
    }
    try file.synchronize()
  }

  func remove(_ key: String) throws { try FileManager.default.removeItem(atPath: path) }

  func keys(withPrefix prefix: String) throws -> [String] { [] }
}
