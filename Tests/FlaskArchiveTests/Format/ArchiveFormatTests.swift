import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct ArchiveFormatTests {
  @Test func `An archive is these bytes`() {
    let archive = ArchiveFormat.wrap(Data("{}".utf8), as: ArchiveHeader(stateVersion: 2, key: "app"))
    #expect(
      archive.map { String($0, radix: 16) }.joined(separator: " ")
        == "46 6c 61 73 6b 41 72 63 0 1 de a f5 30 0 0 0 0 0 0 0 2 0 0 0 3 0 0 0 0 0 0 0 2 61 70 70 7b 7d"
    )
  }

  @Test func `What was put in comes out`() throws {
    let header = ArchiveHeader(stateVersion: 7, key: "Fx.1.🧪")
    let (found, payload) = try ArchiveFormat.unwrap(ArchiveFormat.wrap(Data("[1]".utf8), as: header))
    #expect(found == header)
    #expect(payload == Data("[1]".utf8))
  }

  @Test func `Bytes after the end are found`() {
    let archive = ArchiveFormat.wrap(Data("{}".utf8), as: ArchiveHeader(stateVersion: 0, key: "app"))
    #expect(throws: ArchiveError.corrupt(reason: "its checksum does not match its bytes")) {
      try ArchiveFormat.unwrap(archive + Data([0]))
    }
  }

  @Test func `A slice of other bytes is read like any`() throws {
    let archive = ArchiveFormat.wrap(Data("{}".utf8), as: ArchiveHeader(stateVersion: 0, key: "app"))
    #expect(try ArchiveFormat.unwrap((Data("before".utf8) + archive)[6...]).payload == Data("{}".utf8))
  }

  @Test func `A slice of other bytes is split like any`() {
    let archive = ArchiveFormat.wrap(Data("{}".utf8), as: ArchiveHeader(stateVersion: 0, key: "app"))
    let parts = ArchiveFormat.split((Data("before".utf8) + archive + Data("after".utf8))[6...])
    #expect(parts.archive == archive)
    #expect(parts.rest == Data("after".utf8))
  }

  @Test(arguments: ["", "F", "FlaskAr", "{}", "flaskarcflaskarcflaskarcflaskarcflaskarc"])
  func `What has no mark is no archive`(text: String) {
    #expect(throws: ArchiveError.corrupt(reason: "it has no mark of an archive")) {
      try ArchiveFormat.unwrap(Data(text.utf8))
    }
  }
}
