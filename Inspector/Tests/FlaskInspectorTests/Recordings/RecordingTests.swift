import Foundation
import Testing

@testable import FlaskInspector

/// A small recording: a substance, three operations that change it, the end.
private let text: String = {
  var seal = RecordingSeal()
  return [
    #"{"line":"header","format":"flask-recording","version":1,"part":1,"began":"2026-11-21T23:37:27Z","clock":5"#,
    #"{"line":"substance","substance":1,"name":"cart","isNamed":true,"type":"Cart","place":"C.swift:1","#
      + #""state":{"count":0,"rows":[{"id":1}],"card":"‹redacted›"}"#,
    #"{"line":"operation","number":1,"kind":"mix","place":"C.swift:9","submitted":10,"begun":11,"ended":12,"#
      + #""isolation":"mainActor","outcome":"committed","changes":[{"substance":1,"keys":["count"],"#
      + #""patch":[{"op":"replace","path":"/count","value":3,"old":0}]}]"#,
    #"{"line":"operation","number":2,"kind":"action","name":"Add","submitted":20,"begun":20,"ended":22,"#
      + #""cause":{"operation":1,"way":"reaction","of":"View"},"outcome":"committed","changes":[{"substance":1,"#
      + #""keys":["rows","card"],"redacted":["card"],"patch":[{"op":"add","path":"/rows/0","value":{"id":2}}]}],"#
      + #""told":[{"reactor":"View","substance":1,"nanoseconds":7,"isLater":false}]"#,
    #"{"line":"operation","number":3,"kind":"mix","submitted":30,"begun":30,"ended":31,"outcome":"failed","#
      + #""error":"Refused""#,
    #"{"line":"end","last":3"#,
  ].map { seal.close($0) }.joined()
}()

@Suite struct RecordingTests {
  @Test func `a recording is read with the values of its keys`() throws {
    let file = try RecordingFile(Data(text.utf8))
    #expect(file.isComplete)
    #expect(file.damage == nil)
    let reading = RecordingReading(file, title: "run")
    #expect(
      reading.head == [
        #"{"t":"h","v":1,"m":"run","rec":1}"#,
        #"{"t":"s","s":"cart","k":[["card","\"‹redacted›\""],["count","0"],["rows","[{\"id\":1}]"]]}"#,
      ]
    )
    #expect(
      reading.lines == [
        #"{"t":"o","n":1,"k":"mix","p":"C.swift:9","s":10,"b":11,"e":12,"i":"the main actor","r":"committed","#
          + #""d":[{"s":"cart","k":[["count","0","3"]]}]}"#,
        #"{"t":"o","n":2,"k":"action","m":"Add","c":{"n":1,"w":"reaction","o":"View"},"s":20,"b":20,"e":22,"#
          + #""r":"committed","d":[{"s":"cart","k":[["rows","[{\"id\":1}]","[{\"id\":2},{\"id\":1}]"],"#
          + #"["card",null,null,1]]}],"w":[["View","cart",null,7,0]]}"#,
        #"{"t":"o","n":3,"k":"mix","s":30,"b":30,"e":31,"r":"failed","x":"Refused"}"#,
      ]
    )
  }

  @Test func `a recording that was cut off at any byte opens up to there`() throws {
    let bytes = Array(text.utf8)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for length in 0..<bytes.count {
      let whole = ends.count { $0 < length }
      if whole == 0 {
        #expect(throws: RecordingFile.Failure.notARecording) { try RecordingFile(Data(bytes[..<length])) }
        continue
      }
      let file = try RecordingFile(Data(bytes[..<length]))
      #expect(file.lines.count == whole)
      #expect(!file.isComplete)
      let isBetweenLines = bytes[length - 1] == UInt8(ascii: "\n")
      #expect((file.damage == nil) == isBetweenLines)
    }
  }

  @Test func `a flipped bit is found at its line, and nothing behind it is read`() throws {
    let bytes = Array(text.utf8)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for index in bytes.indices where index > ends[0] {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        let file = try RecordingFile(Data(damaged))
        let line = ends.count { $0 < index }
        #expect(file.damage?.line == line + 1)
        #expect(file.lines.count == line)
      }
    }
  }

  @Test func `a newer version is not read`() {
    var seal = RecordingSeal()
    let newer = seal.close(#"{"line":"header","format":"flask-recording","version":2"#)
    #expect(throws: RecordingFile.Failure.newerVersion(2)) { try RecordingFile(Data(newer.utf8)) }
  }

  @Test func `a selection begins with the states of its beginning`() throws {
    let file = try RecordingFile(Data(text.utf8))
    let selection = try RecordingFile(Data(RecordingSelection.text(of: file, 2...3).utf8))
    #expect(selection.isComplete)
    #expect(
      selection.lines.map { $0["line"]?.string } == ["header", "substance", "operation", "operation", "end"]
    )
    #expect(selection.lines[1]["state"]?["count"] == .number("3"))
    #expect(selection.lines[1]["state"]?["rows"]?.text() == #"[{"id":1}]"#)
    #expect(selection.lines[2] == file.lines[3])
    let all = try RecordingFile(Data(RecordingSelection.text(of: file, 1...3).utf8))
    #expect(all.lines == file.lines)
  }
}

@Suite struct JSONParserTests {
  private func parse(_ text: String) -> JSONTree? { JSONParser.value(of: Array(text.utf8)[...]) }

  @Test func `values are read`() {
    let text = #" {"a" : [1, -2.5e3, true, false, null, "x\n\"\\\/é🧪"], "b":{}, "c":[ ]} "#
    let expected: JSONTree = .object([
      "a": .array([.number("1"), .number("-2.5e3"), .bool(true), .bool(false), .null, .string("x\n\"\\/é🧪")]),
      "b": .object([:]), "c": .array([]),
    ])
    #expect(parse(text) == expected)
  }

  @Test(arguments: [
    "", "{", "[1,", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "tru", "nul", "\"", "\"\\u12\"", "\"\\ud800\"",
    "\"\\x\"",
    "\"\n\"", "1 2", "[1]]", "+-", "--1", "\u{FEFF}1",
  ])
  func `what is no JSON is not read`(_ text: String) { #expect(parse(text) == nil) }

  @Test func `nesting is bounded`() {
    #expect(parse(String(repeating: "[", count: 511) + String(repeating: "]", count: 511)) != nil)
    #expect(parse(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func `texts are cut at a limit`() {
    #expect(JSONTree.array((0..<100).map { .number("\($0)") }).text(limit: 10) == "[0,1,2,3,4,… 100 in all]")
    #expect(JSONTree.string("abcdefgh").text(limit: 3) == "\"abc…\"")
  }

  @Test func `patches are applied`() {
    var value: JSONTree = .object(["a/b": .array([.number("1")]), "~": .null])
    func apply(_ name: String, _ path: String, _ new: JSONTree? = nil) -> Bool {
      var members: [String: JSONTree] = ["op": .string(name), "path": .string(path)]
      members["value"] = new
      return value.apply(.object(members))
    }
    let hasAdded = apply("add", "/a~1b/0", .number("0"))
    let hasReplaced = apply("replace", "/~0", .bool(true))
    #expect(hasAdded && hasReplaced)
    #expect(value.text() == #"{"a/b":[0,1],"~":true}"#)
    let hasRemoved = apply("remove", "/a~1b/1")
    let hasRemovedAgain = apply("remove", "/a~1b/1")
    let hasReplacedNothing = apply("replace", "/c", .null)
    #expect(hasRemoved && !hasRemovedAgain && !hasReplacedNothing)
    #expect(value.text() == #"{"a/b":[0],"~":true}"#)
  }
}
