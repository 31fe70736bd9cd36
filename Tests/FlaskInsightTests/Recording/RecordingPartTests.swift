import Foundation
import Testing

@testable import FlaskInsight

@Suite struct RecordingPartTests {
  private func kind(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test func `a pipe is written to as it is`() throws {
    let file = try RecordingFile()
    let path = file.url.path
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var part = try RecordingPart(path, .none)
    #expect(kind(path) == S_IFIFO)
    var line = RecordingLine("gap")
    line.add("first", 1)
    try part.write(line)
    try part.flush()
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(reader, &bytes, 100) > 0)
  }

  @Test func `a regular file is replaced by a new one`() throws {
    let file = try RecordingFile()
    let path = file.url.path
    try Data("before".utf8).write(to: file.url)
    #expect(link(path, file.previous.path) == 0)
    _ = try RecordingPart(path, .none)
    #expect(kind(path) == S_IFREG)
    #expect(try file.data.isEmpty)
    #expect(try Data(contentsOf: file.previous) == Data("before".utf8))
  }
}
