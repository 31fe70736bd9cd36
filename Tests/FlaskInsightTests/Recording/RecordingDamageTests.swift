import FlaskInsight
import Foundation
import Testing
import TestSupport

/// All of a small recording, and what is left of it when it is damaged.
@Suite struct RecordingDamageTests {
  private func recorded() async throws -> [UInt8] {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, beginningWith: [shop.cart])
    shop.add("tea")
    shop.rename("Ada")
    shop.refuse()
    await recorder.stop()
    return Array(try file.data)
  }

  /// Of each line: where it begins, and how many operations come before it.
  private func starts(of bytes: [UInt8]) -> [(offset: Int, operations: Int)] {
    var starts: [(Int, Int)] = []
    var (offset, count) = (0, 0)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      starts.append((offset, count))
      if String(decoding: line, as: UTF8.self).contains(#""line":"operation""#) { count += 1 }
      offset += line.count + 1
    }
    return starts + [(offset, count)]
  }

  @Test func `cut at every byte, it opens up to the cut and says where that is`() async throws {
    let bytes = try await recorded()
    let starts = starts(of: bytes)
    var wrong: [Int] = []
    for cut in 0..<starts[1].offset {
      #expect(throws: RecordingError.notARecording) { try Recording(data: Data(bytes[..<cut])) }
    }
    for cut in starts[1].offset...bytes.count {
      let recording = try Recording(data: Data(bytes[..<cut]))
      let index = starts.lastIndex { $0.offset <= cut } ?? 0
      let start = starts[index]
      let isBetween = start.offset == cut
      let damage = recording.damage
      let isRight =
        recording.operations.count == start.operations
        && (isBetween
          ? damage == nil
          : damage?.offset == start.offset && damage?.line == index + 1 && damage?.reason == .cutOff)
        && recording.isComplete == (cut == bytes.count)
      if !isRight { wrong.append(cut) }
    }
    #expect(wrong == [])
  }

  @Test func `with any bit flipped, it opens up to the line of it and says which that is`() async throws {
    let bytes = try await recorded()
    let starts = starts(of: bytes)
    var wrong: [Int] = []
    let step = Proof.count(9, full: 1)
    for bit in stride(from: 0, to: bytes.count * 8, by: step) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if bit / 8 < starts[1].offset {
        #expect(throws: RecordingError.notARecording) { try Recording(data: Data(damaged)) }
        continue
      }
      let recording = try Recording(data: Data(damaged))
      let index = starts.lastIndex { $0.offset <= bit / 8 } ?? 0
      let isRight =
        recording.damage?.offset == starts[index].offset && recording.damage?.line == index + 1
        && recording.operations.count == starts[index].operations && !recording.isComplete
      if !isRight { wrong.append(bit) }
    }
    #expect(wrong == [])
  }

  @Test func `lines that are lost, doubled or exchanged are found at the first of them`() async throws {
    let lines = try await recorded().split(separator: UInt8(ascii: "\n"))
    func damage(_ lines: [ArraySlice<UInt8>]) throws -> Int? {
      try Recording(data: Data(lines.flatMap { $0 + [UInt8(ascii: "\n")] })).damage?.line
    }
    #expect(try damage(lines) == nil)
    #expect(try damage(lines.filter { $0 != lines[2] }) == 3)
    #expect(try damage(Array(lines[...3]) + Array(lines[3...])) == 5)
    var exchanged = lines
    exchanged.swapAt(3, 4)
    #expect(try damage(exchanged) == 4)
  }

  @Test func `damage is described with its file, its line and its byte`() async throws {
    let file = try RecordingFile()
    let bytes = try await recorded()
    let second = starts(of: bytes)[1].offset
    try Data(bytes[..<(second + 5)]).write(to: file.url)
    let recording = try Recording(contentsOf: file.url)
    #expect(
      recording.damage?.description == "\(file.url.path):2: the file is cut off, from byte \(second) on"
    )
  }

  @Test func `a second header in a part, and what comes after the end, make no sense`() throws {
    func damage(_ kinds: [String]) throws -> (line: Int?, reason: Recording.Damage.Reason?, isComplete: Bool)
    {
      var seal = RecordingSeal()
      var bytes: [UInt8] = []
      for kind in kinds {
        var line = RecordingLine(kind)
        for (name, value) in [
          ("format", "\"flask-recording\""), ("version", "1"), ("first", "1"), ("last", "2"),
        ] {
          line.add(name, json: value.utf8)
        }
        seal.seal(line, into: &bytes)
      }
      let recording = try Recording(data: Data(bytes))
      return (recording.damage?.line, recording.damage?.reason, recording.isComplete)
    }
    #expect(try damage(["header", "gap", "end"]) == (nil, nil, true))
    #expect(try damage(["header", "gap", "header"]) == (3, .content, false))
    #expect(try damage(["header", "end", "gap"]) == (3, .content, true))
    #expect(throws: RecordingError.notARecording) { try damage(["gap", "end"]) }
  }

  @Test func `a newer version and another file are refused`() async throws {
    #expect(throws: RecordingError.unknownVersion(2)) {
      _ = try Recording(
        data: Data(
          #"{"line":"header","format":"flask-recording","version":2,"part":1,"crc":"ebc9f878"}"#.utf8
        ) + [10]
      )
    }
    for text in ["{\"a\":1}\n", "Dear diary,\ntoday", "", "\n"] {
      #expect(throws: RecordingError.notARecording) { try Recording(data: Data(text.utf8)) }
    }
  }

  @Test func `a pipe in the place of a recording is an error, and a hole of any size is its end`()
    async throws
  {
    let file = try RecordingFile()
    try Data(try await recorded()).write(to: file.url)
    let whole = try Recording(contentsOf: file.url).operations.count
    let handle = try FileHandle(forWritingTo: file.url)
    try handle.truncate(atOffset: 1 << 36)
    try handle.close()
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.operations.count == whole)
    try FileManager.default.removeItem(at: file.url)
    try #require(mkfifo(file.url.path, 0o600) == 0)
    #expect(throws: RecordingError.self) { try Recording(contentsOf: file.url) }
  }
}
