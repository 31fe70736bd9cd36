import Foundation
import TestSupport
import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct FileStampTests {
  @Test func `files that do not exist have one stamp`() {
    let folder = TestFolder()
    #expect(FileStamp(folder.path("a")) == FileStamp(folder.path("b")))
  }

  @Test func `a file that is replaced has another stamp, one that is read has not`() throws {
    let folder = TestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let (path, other) = (folder.path("a"), folder.path("b"))
    for place in [path, other] {
      #expect(FileManager.default.createFile(atPath: place, contents: Data([1, 2])))
    }
    let stamp = FileStamp(path)
    _ = FileManager.default.contents(atPath: path)
    #expect(FileStamp(path) == stamp)
    #expect(rename(other, path) == 0)
    #expect(FileStamp(path) != stamp)
  }
}
