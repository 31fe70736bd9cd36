import FlaskArchive
import FlaskInsight
import Foundation
import Testing

@testable import FlaskInspector

@Suite struct RecordingTests {
  @Test func `a recording is read with the values of its keys`() throws {
    let file = try Recording(data: RecordedText.whole, keepingLines: true)
    #expect(file.isComplete)
    #expect(file.damage == nil)
    let reading = RecordingReading(file, title: "run")
    #expect(
      reading.head == [
        #"{"m":"run","rec":1,"t":"h","v":1}"#,
        #"{"k":[["card","\"‹redacted›\""],["count","0"],["rows","[{\"id\":1}]"]],"s":"cart","t":"s"}"#,
      ]
    )
    #expect(
      reading.lines == [
        #"{"b":11,"d":[{"k":[["count","0","3"]],"s":"cart"}],"e":12,"i":"the main actor","k":"mix","n":1,"#
          + #""p":"C.swift:9","r":"committed","s":10,"t":"o"}"#,
        #"{"b":20,"c":{"n":1,"o":"View","w":"reaction"},"#
          + #""d":[{"k":[["rows","[{\"id\":1}]","[{\"id\":2},{\"id\":1}]"],["card",null,null,1]],"s":"cart"}],"#
          + #""e":22,"k":"action","m":"Add","n":2,"r":"committed","s":20,"t":"o","#
          + #""w":[["View","cart",null,7,0]]}"#,
        #"{"b":30,"e":31,"k":"mix","n":3,"r":"failed","s":30,"t":"o","x":"Refused"}"#,
      ]
    )
  }

  @Test func `two substances of one name have a row each`() throws {
    let reading = RecordingReading(try Recording(data: RecordedText.twins, keepingLines: true), title: "run")
    #expect(
      Array(reading.head.dropFirst()) == [
        #"{"k":[["count","0"]],"s":"cart","t":"s"}"#, #"{"k":[["count","5"]],"s":"cart (2)","t":"s"}"#,
      ]
    )
    #expect(reading.lines[0].contains(#""d":[{"k":[["count","5","6"]],"s":"cart (2)"}]"#))
  }

  @Test func `a recording that was cut off at any byte opens up to there`() throws {
    let bytes = Array(RecordedText.whole)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for length in 0..<bytes.count {
      let whole = ends.count { $0 < length }
      if whole == 0 {
        #expect(throws: RecordingError.notARecording) {
          try Recording(data: Data(bytes[..<length]), keepingLines: true)
        }
        continue
      }
      let file = try Recording(data: Data(bytes[..<length]), keepingLines: true)
      #expect(file.lines?.count == whole)
      #expect(!file.isComplete)
      let isBetweenLines = bytes[length - 1] == UInt8(ascii: "\n")
      #expect((file.damage == nil) == isBetweenLines)
    }
  }

  @Test func `a flipped bit is found at its line, and nothing behind it is read`() throws {
    let bytes = Array(RecordedText.whole)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for index in bytes.indices where index > ends[0] {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        let file = try Recording(data: Data(damaged), keepingLines: true)
        let line = ends.count { $0 < index }
        #expect(file.damage?.line == line + 1)
        #expect(file.lines?.count == line)
      }
    }
  }

  @Test func `a newer version is not read`() {
    #expect(throws: RecordingError.unknownVersion(2)) {
      try Recording(data: RecordedText.newer, keepingLines: true)
    }
  }

  @Test func `a recording of two parts is read as one`() throws {
    try inFolder { folder in
      let url = folder.appending(path: "run.flask")
      try RecordedText.previous.write(to: folder.appending(path: "run.flask.previous"))
      try RecordedText.present.write(to: url)
      let (file, whole) = (
        try Recording(contentsOf: url, keepingLines: true),
        try Recording(data: RecordedText.whole, keepingLines: true)
      )
      #expect(file.isComplete)
      let (reading, wanted) = (
        RecordingReading(file, title: "run"), RecordingReading(whole, title: "run")
      )
      #expect(reading.head == wanted.head)
      #expect(reading.lines == wanted.lines)
      let selection = try Recording(data: RecordingSelection.data(of: file, 1...2), keepingLines: true)
      #expect(
        selection.lines?.map { $0["line"]?.string } == [
          "header", "substance", "operation", "substance", "operation", "end",
        ]
      )
      #expect(selection.lines?[1]["state"]?["count"] == 0)
      #expect(selection.lines?[3]["state"]?["count"] == 3)
      #expect(try RecordingPage(contentsOf: url).html().contains(#""k":[["count","0","3"]]"#))
    }
  }

  @Test func `an older part that is gone, damaged or of another recording is left out, and the page says so`()
    throws
  {
    var damaged = RecordedText.previous
    damaged[damaged.count - 30] ^= 1
    for previous in [nil, damaged, RecordedText.present, Data()] {
      try inFolder { folder in
        let url = folder.appending(path: "run.flask")
        try previous?.write(to: folder.appending(path: "run.flask.previous"))
        try RecordedText.present.write(to: url)
        let file = try Recording(contentsOf: url, keepingLines: true)
        #expect(file.lines == (try Recording(data: RecordedText.present, keepingLines: true)).lines)
        let lines = RecordingReading(file, title: "run").lines
        #expect(lines.count == 3)
        #expect(lines.last?.contains(#""k":"beginningMissing""#) == true)
      }
    }
  }

  @Test func `the older part alone is read, and says where it is damaged`() throws {
    try inFolder { folder in
      let url = folder.appending(path: "run.flask")
      let previous = folder.appending(path: "run.flask.previous")
      #expect(throws: RecordingError.self) { try Recording(contentsOf: url, keepingLines: true) }
      try RecordedText.previous.dropLast(1).write(to: previous)
      let file = try Recording(contentsOf: url, keepingLines: true)
      #expect(file.lines?.count == 2)
      #expect(file.damage?.reason == .cutOff)
      #expect(file.damage?.line == 3)
      #expect(file.damage?.path == previous.path)
    }
  }

  /// A line without its checksum, which depends on the order of the members.
  private func content(_ line: ArchiveValue?) -> ArchiveValue? {
    var line = line
    line?["crc"] = nil
    return line
  }

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func `a selection begins with the states of its beginning`() throws {
    let file = try Recording(data: RecordedText.whole, keepingLines: true)
    let selection = try Recording(data: RecordingSelection.data(of: file, 2...3), keepingLines: true)
    #expect(selection.isComplete)
    #expect(
      selection.lines?.map { $0["line"]?.string } == ["header", "substance", "operation", "operation", "end"]
    )
    #expect(selection.lines?[1]["state"]?["count"] == 3)
    #expect(selection.lines?[1]["state"]?["rows"]?.text() == #"[{"id":1}]"#)
    #expect(content(selection.lines?[2]) == content(file.lines?[3]))
    let all = try Recording(data: RecordingSelection.data(of: file, 1...3), keepingLines: true)
    #expect(all.lines?.map(content) == file.lines?.map(content))
  }
}

@Suite struct RecordedValueTests {
  @Test func `texts are cut at a limit`() {
    #expect(
      ArchiveValue.array((0..<100).map { .number(ArchiveNumber($0)) }).text(limit: 10)
        == "[0,1,2,3,4,… 100 in all]"
    )
    #expect(ArchiveValue.string("abcdefgh").text(limit: 3) == "\"abc…\"")
  }

  @Test func `a state that a change does not fit, or that it does not tell, is not known any more`() {
    let state: ArchiveValue = ["count": 1]
    func changed(_ patch: ArchiveValue?) -> ArchiveValue? {
      var change: ArchiveValue = ["substance": 1]
      change["patch"] = patch
      return state.changed(by: change)
    }
    #expect(changed([["op": "replace", "path": "/count", "old": 1, "value": 2]]) == ["count": 2])
    #expect(changed([["op": "replace", "path": "/count", "old": 7, "value": 2]]) == nil)
    #expect(changed([["op": "remove", "path": "/other", "old": 7]]) == nil)
    #expect(changed("nonsense") == nil)
    #expect(changed(nil) == nil)
  }
}
