import FlaskArchive
import FlaskTesting
import Foundation
import Testing
import TestSupport

@Suite struct ArchiveBackendTests {
  @Test func `Files conform`() throws {
    var folders: [TestFolder] = []
    try ArchiveBackendConformance {
      let folder = TestFolder()
      folders.append(folder)
      return FileArchive(directory: folder.url)
    }
    .check()
  }

  @Test func `Memory conforms`() throws {
    try ArchiveBackendConformance { MemoryArchive() }.check()
  }

  @Test func `The example conforms`() throws {
    try ArchiveBackendConformance { ShelfArchive() }.check()
  }

  @Test func `Defaults conform`() throws {
    let suites = TestSuites()
    try ArchiveBackendConformance { try suites.makeEmpty() }.check()
  }
}
