import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

@Suite struct FileArchiveTests {
  private let folder = TestFolder()
  private var archive: FileArchive { FileArchive(directory: folder.url) }

  @Test func `A save leaves one file, and no temporary one`() throws {
    try archive.save(Data("one".utf8), for: "app")
    #expect(folder.names == [".lock", ".owner", "app.archive"])
  }

  @Test func `Only the owner can read an archive, and enter the folder`() throws {
    try archive.save(Data("one".utf8), for: "app")
    #expect(try permissions(folder.path("app.archive")) == 0o600)
    #expect(try permissions(folder.url.path) == 0o700)
  }

  @Test func `Reading makes no folder`() throws {
    #expect(try archive.load("app") == nil)
    #expect(try archive.keys(withPrefix: "") == [])
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
  }

  @Test func `A folder of which nothing can be known is an error, not an empty one`() throws {
    try archive.save(Data("one".utf8), for: "app")
    let long = folder.url.appending(path: String(repeating: "x", count: 300))
    let archive = FileArchive(directory: long)
    #expect(throws: ArchiveError.system(call: "access", code: ENAMETOOLONG, path: long.path)) {
      try archive.keys(withPrefix: "")
    }
    #expect(throws: ArchiveError.system(call: "access", code: ENAMETOOLONG, path: long.path)) {
      try archive.remove("app")
    }
  }

  @Test func `What a killed process left behind is removed at the next start`() throws {
    try archive.save(Data("one".utf8), for: "app")
    try Data("torn".utf8).write(to: URL(fileURLWithPath: folder.path("app.flask-tmp")))
    #expect(try archive.load("app") == Data("one".utf8))
    #expect(folder.names == [".lock", ".owner", "app.archive"])
  }

  @Test func `Temporary files of others stay in the folder, read or written`() throws {
    let others = ["other.tmp", "Draft~1.flask-tmp", "a b.flask-tmp"]
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    for name in others { try Data(name.utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
    #expect(try archive.load("app") == nil)
    try archive.save(Data("one".utf8), for: "app")
    #expect(Set(folder.names) == Set(others + [".lock", ".owner", "app.archive"]))
  }

  @Test func `A temporary file that appears later is written over`() throws {
    let archive = archive
    try archive.save(Data("one".utf8), for: "app")
    try Data("torn".utf8).write(to: URL(fileURLWithPath: folder.path("app.flask-tmp")))
    try archive.save(Data("two".utf8), for: "app")
    #expect(try archive.load("app") == Data("two".utf8))
    #expect(folder.names == [".lock", ".owner", "app.archive"])
  }

  @Test func `A folder that was removed is created again`() throws {
    let archive = archive
    try archive.save(Data("one".utf8), for: "app")
    try FileManager.default.removeItem(at: folder.url)
    try archive.save(Data("two".utf8), for: "app")
    #expect(try archive.load("app") == Data("two".utf8))
  }

  @Test(arguments: 0..<20) func `First saves on several threads make a folder of several levels`(_: Int) {
    let folder = folder.url.appending(path: "one/two/three")
    let failures = Recorder<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        try FileArchive(directory: folder).save(Data("one".utf8), for: "app \(thread)")
      } catch {
        failures.append("\(error)")
      }
    }
    #expect(failures.all == [])
  }

  @Test func `A journal of any size is refused, not read`() throws {
    let archive = archive
    let bytes = Data("one".utf8)
    try archive.save(bytes, for: "app")
    #expect(try archive.append(Data("more".utf8), toJournalOf: "app", beginning: bytes, length: 0))
    let path = folder.path("app.journal")
    #expect(truncate(path, 1 << 40) == 0)
    #expect(throws: ArchiveError.tooLarge(bytes: 1 << 40, limit: (64 << 20) + (4 << 10))) {
      try archive.loadWithJournal("app")
    }
  }

  @Test func `An archive over the limit is neither read nor saved`() throws {
    let small = FileArchive(directory: folder.url, maximumBytes: 3)
    try small.save(Data("one".utf8), for: "app")
    #expect(throws: ArchiveError.tooLarge(bytes: 4, limit: 3)) {
      try small.save(Data("four".utf8), for: "app")
    }
    #expect(try small.load("app") == Data("one".utf8))
    try archive.save(Data("four".utf8), for: "app")
    #expect(throws: ArchiveError.tooLarge(bytes: 4, limit: 3)) { try small.load("app") }
  }

  @Test func `A folder in the place of an archive is an error, not an absence`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("app.archive"),
      withIntermediateDirectories: true
    )
    #expect(throws: ArchiveError.notAFile(path: folder.path("app.archive"))) { try archive.load("app") }
  }

  @Test func `A pipe in the place of an archive keeps no one waiting`() throws {
    try archive.save(Data("one".utf8), for: "other")
    #expect(mkfifo(folder.path("app.archive"), 0o600) == 0)
    #expect(throws: ArchiveError.notAFile(path: folder.path("app.archive"))) { try archive.load("app") }
  }

  @Test func `A link in the place of an archive is not followed`() throws {
    try archive.save(Data("one".utf8), for: "other")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("app.archive"),
      withDestinationPath: folder.path("other.archive")
    )
    #expect(throws: ArchiveError.system(call: "open", code: ELOOP, path: folder.path("app.archive"))) {
      try archive.load("app")
    }
  }

  @Test func `A place where no folder can be is an error when saved to, and empty when read`() throws {
    try archive.save(Data("one".utf8), for: "app")
    let impossible = FileArchive(directory: folder.url.appendingPathComponent("app.archive/below"))
    #expect(throws: ArchiveError.self) { try impossible.save(Data("two".utf8), for: "app") }
    #expect(throws: ArchiveError.self) { try impossible.load("app") }
  }

  @Test func `Hostile names stay in the folder`() throws {
    let keys = [
      "../x", "/tmp/x", "", ".", "..", "a/b", "nul\0", ".lock", ".owner", "x.tmp", "x.key", "x.archive",
    ]
    for (index, key) in keys.enumerated() { try archive.save(Data([UInt8(index)]), for: key) }
    for (index, key) in keys.enumerated() { #expect(try archive.load(key) == Data([UInt8(index)])) }
    #expect(folder.names.count == 14)
    #expect(folder.names.allSatisfy { $0.hasSuffix(".archive") || $0 == ".lock" || $0 == ".owner" })
  }

  @Test func `Removing an archive of a long key leaves nothing behind`() throws {
    let key = String(repeating: "long", count: 100)
    try archive.save(Data("one".utf8), for: key)
    #expect(try archive.keys(withPrefix: "long") == [key])
    try archive.remove(key)
    #expect(folder.names == [".lock", ".owner"])
  }

  @Test func `Two archives of one folder in one process are one place, and no warning`() throws {
    let other = FileArchive(
      directory: folder.url.appendingPathComponent("../\(folder.url.lastPathComponent)/")
    )
    #expect(other.location == archive.location)
    try archive.save(Data("one".utf8), for: "app")
    #expect(try other.load("app") == Data("one".utf8))
    #expect(other.takeWarning() == nil)
  }

  @Test func `Many threads that save one key leave one of their archives, whole`() throws {
    let archive = archive
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for _ in 0..<5 { try? archive.save(Data(repeating: UInt8(index), count: 10_000), for: "app") }
    }
    let data = try #require(try archive.load("app"))
    #expect(data.count == 10_000)
    #expect(Set(data).count == 1)
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
