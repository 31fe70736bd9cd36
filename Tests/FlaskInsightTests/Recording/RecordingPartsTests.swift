import Foundation
import Synchronization
import Testing

@testable import FlaskInsight
import TestSupport

@Suite struct RecordingPartsTests {
  /// What is in the files, one after the other, as they are read: the older one, the newest, the older one again.
  private func read(_ files: [String?]) -> (parts: (previous: Data?, present: Data?), left: [String?]) {
    var left = files
    func next() -> Data? { left.removeFirst().map { Data($0.utf8) } }
    let parts = Recording.parts(previous: { next() }, present: { next() })
    return (parts, left)
  }

  @Test func `a part that begins while both are read is noticed`() {
    let (parts, left) = read(["1", "3", "2", "3", "2"])
    #expect(parts.previous == Data("2".utf8))
    #expect(parts.present == Data("3".utf8))
    #expect(left.isEmpty)
  }

  @Test func `a file that is missing between two parts is there when it is looked for again`() {
    let (parts, left) = read(["1", nil, "2", "3", "2"])
    #expect(parts.previous == Data("2".utf8))
    #expect(parts.present == Data("3".utf8))
    #expect(left.isEmpty)
  }

  @Test func `what stays as it is is not read again`() {
    for files in [["1", "2", "1"], [nil, "1", nil], ["1", nil, "1"]] as [[String?]] {
      let (parts, left) = read(files)
      #expect(parts.present == files[1].map { Data($0.utf8) })
      #expect(parts.previous == files[0].map { Data($0.utf8) })
      #expect(left.isEmpty)
    }
  }

  private func recorded(_ file: RecordingFile, operations: Int) async throws {
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, limits: RecordingLimits(operations: 20))
    for number in 0..<operations { shop.add("\(number)") }
    await recorder.stop()
  }

  @Test func `who is killed while it begins a part leaves the part before`() async throws {
    let file = try RecordingFile()
    try await recorded(file, operations: 25)
    let older = try Recording(data: Data(contentsOf: file.previous)).operations.count
    #expect(older == 10)
    for left in [Data(), try file.data.prefix(20)] {
      try left.write(to: file.url)
      let recording = try Recording(contentsOf: file.url)
      #expect(recording.operations.count == older)
      #expect(recording.damage?.path == file.url.path)
      #expect(recording.damage?.line == 1)
      #expect(!recording.isComplete)
    }
    let whole = try Data(contentsOf: file.previous)
    try whole.dropLast(1).write(to: file.previous)
    let damage = try Recording(contentsOf: file.url).damage
    #expect(damage?.path == file.previous.path)
    #expect(damage?.reason == .cutOff)
    try Data("another file\n".utf8).write(to: file.previous)
    #expect(throws: RecordingError.notARecording) { try Recording(contentsOf: file.url) }
  }

  @Test func `the lines of both parts are there for who asks for them`() async throws {
    let file = try RecordingFile()
    try await recorded(file, operations: 25)
    #expect(try Recording(contentsOf: file.url).lines == nil)
    let recording = try Recording(contentsOf: file.url, keepingLines: true)
    let kinds = recording.lines?.map { $0["line"]?.string }
    #expect(kinds?.filter { $0 == "header" }.count == 2)
    #expect(kinds?.filter { $0 == "operation" }.count == recording.operations.count)
    #expect(kinds?.last == "end")
  }

  @Test func `a file that another one puts in its place is not written to`() async throws {
    let file = try RecordingFile()
    let path = file.url.path
    let isOver = Atomic(false)
    // Whenever there is none, it makes one that everybody may read.
    let other = Thread {
      while !isOver.load(ordering: .relaxed) {
        close(open(path, O_WRONLY | O_CREAT, 0o666))
        usleep(UInt32.random(in: 0..<20))
      }
    }
    other.start()
    defer { isOver.store(true, ordering: .relaxed) }
    var made = 0
    for _ in 0..<3_000 {
      guard (try? RecordingPart(path, .none)) != nil else { continue }
      made += 1
      var status = stat()
      #expect(stat(path, &status) == 0)
      if status.st_mode & 0o777 != 0o600 { Issue.record("others may read it"); break }
    }
    #expect(made > 0)
  }
}
