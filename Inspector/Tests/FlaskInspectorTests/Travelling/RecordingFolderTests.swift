import FlaskArchive
import FlaskCore
import FlaskInsight
import Foundation
import Testing

@testable import FlaskInspector

@Suite struct RecordingFolderTests {
  @Test func `only this user can look into it, and it is removed`() throws {
    let folder = try RecordingFolder()
    let path = folder.file.deletingLastPathComponent().path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    folder.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `one that a killed process has left is removed, others are not`() throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: "folders-\(UUID())")
    defer { try? FileManager.default.removeItem(at: parent) }
    for name in ["flask-inspector-left", "flask-inspector-empty", "other"] {
      try FileManager.default.createDirectory(
        at: parent.appending(path: name),
        withIntermediateDirectories: true
      )
    }
    try Data().write(to: parent.appending(path: "flask-inspector-left/lock"))
    let living = try RecordingFolder(in: parent)
    let folder = try RecordingFolder(in: parent)
    let left = Set(try FileManager.default.contentsOfDirectory(atPath: parent.path))
    let names = [living, folder].map { $0.file.deletingLastPathComponent().lastPathComponent }
    #expect(left == Set(names + ["flask-inspector-empty", "other"]))
  }
}
