import Flask
import FlaskTesting
import Foundation
import SQLiteArchive
import Testing

private struct Settings: FlaskState, Equatable {
  var name = "nobody"
  var launches = 0
}

@Suite struct SQLiteArchiveTests {
  @Test func `a database in memory does what every backend must`() throws {
    try ArchiveBackendConformance { try SQLiteArchive() }.check()
  }

  @Test func `a database in a file does what every backend must`() throws {
    try withFolder { folder in
      try ArchiveBackendConformance {
        try SQLiteArchive(path: folder.appending(path: "\(UUID()).sqlite").path)
      }
      .check()
    }
  }

  @Test func `a state comes back when the database is opened again`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "app.sqlite").path
      do {
        let settings = Substance<Settings>(name: "settings", archive: true, in: try SQLiteArchive(path: path))
        settings.mix {
          $0.name = "Ada"
          $0.launches = 1
        }
        #expect(settings.archiveNow())
      }
      let again = Substance<Settings>(name: "settings", archive: true, in: try SQLiteArchive(path: path))
      #expect(again.state == Settings(name: "Ada", launches: 1))
    }
  }

  @Test func `two databases are two places, and one database is one`() throws {
    try withFolder { folder in
      let (a, b) = (folder.appending(path: "a.sqlite").path, folder.appending(path: "b.sqlite").path)
      let (first, second, third) = (
        try SQLiteArchive(path: a), try SQLiteArchive(path: a), try SQLiteArchive(path: b)
      )
      #expect(first.location == second.location)
      #expect(first.location != third.location)
      let (memory, another) = (try SQLiteArchive(), try SQLiteArchive())
      #expect(memory.location != another.location)
    }
  }

  @Test func `a file that is no database is an error, and stays as it is`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "notes.txt")
      let text = Data(String(repeating: "no database at all\n", count: 100).utf8)
      try text.write(to: file)
      #expect(throws: (any Error).self) { try SQLiteArchive(path: file.path) }
      #expect(try Data(contentsOf: file) == text)
    }
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "SQLiteArchiveTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
