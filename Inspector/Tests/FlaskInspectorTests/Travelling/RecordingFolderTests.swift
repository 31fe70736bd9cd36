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
    // No process has the largest number that there can be.
    let names = [
      "flask-inspector-\(Int32.max)-x", "flask-inspector-\(getpid())-x", "flask-inspector-x", "other",
    ]
    for name in names {
      try FileManager.default.createDirectory(
        at: parent.appending(path: name),
        withIntermediateDirectories: true
      )
    }
    let folder = try RecordingFolder(in: parent)
    var left = Set(try FileManager.default.contentsOfDirectory(atPath: parent.path))
    left.remove(folder.file.deletingLastPathComponent().lastPathComponent)
    #expect(left == Set(names.dropFirst()))
  }
}
