import FlaskRefs
import Foundation
import Testing

@Suite struct CodableTests {
  struct State: Codable, Sendable, Equatable {
    var info: FlaskDictRef?
  }

  private func encoded(_ dictionary: [String: Any]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(FlaskDictRef(dictionary)), as: UTF8.self)
  }

  private func decoded(_ text: String) throws -> FlaskDictRef {
    try JSONDecoder().decode(FlaskDictRef.self, from: Data(text.utf8))
  }

  @Test func `it is archived as JSON text under one key`() throws {
    let text = try encoded(["foo": "bar", "nest": ["data": [1, 1.5, true, NSNull()]]])
    #expect(text == #"{"dictionary":"{\"foo\":\"bar\",\"nest\":{\"data\":[1,1.5,true,null]}}"}"#)
  }

  @Test func `an older archive is read`() throws {
    let ref = try decoded(#"{"dictionary": "{\n  \"nest\" : {\"data\":\"\\u0073ome\"},\"n\":-2.5e1 }"}"#)
    #expect(ref == FlaskDictRef(["nest": ["data": "some"], "n": -25.0]))
  }

  @Test func `numbers come back as what they were`() throws {
    let numbers: [String: Any] = [
      "int": 1, "bool": true, "whole": 1.0, "double": 0.1, "min": Int.min, "max": UInt64.max,
      "tiny": Double.leastNonzeroMagnitude,
      "huge": Double.greatestFiniteMagnitude, "no": false, "zero": 0, "big": 9_007_199_254_740_993,
    ]
    let ref = try decoded(try encoded(numbers))
    #expect(ref == FlaskDictRef(numbers))
    #expect(ref["int"] is Int)
    #expect(ref["bool"] is Bool)
    #expect(ref["whole"] is Double)
    #expect(ref["max"] as? UInt == 18_446_744_073_709_551_615)
    #expect(ref["big"] as? Int == 9_007_199_254_740_993)
  }

  @Test func `what JSON has no word for is marked and comes back`() throws {
    let values: [String: Any] = [
      "date": Date(timeIntervalSinceReferenceDate: 0.1), "data": Data([0, 255]), "nil": FlaskNil(),
      "nan": Double.nan, "infinity": Double.infinity, "negative": -Double.infinity,
      "$date": "mine", "$$": ["$nil": ""],
    ]
    let text = try encoded(values)
    #expect(text.hasSuffix(#","marked":true}"#))
    let ref = try decoded(text)
    #expect(ref == FlaskDictRef(values))
    #expect(ref["nan"] as? Double != ref["nan"] as? Double)
    #expect(ref["$date"] as? String == "mine")
    #expect(
      try encoded(["d": Date(timeIntervalSinceReferenceDate: 2)])
        == #"{"dictionary":"{\"d\":{\"$date\":\"2.0\"}}","marked":true}"#
    )
  }

  @Test func `addresses and decimals come back`() throws {
    let values: [String: Any] = [
      "url": try #require(URL(string: "https://example.com/a?b=c#d")),
      "none": Decimal.nan,
      "decimal": try #require(Decimal(string: "0.10")),
    ]
    #expect(try decoded(try encoded(values)) == FlaskDictRef(values))
  }

  @Test func `marks mean nothing where none were written`() throws {
    let ref = try decoded(#"{"dictionary": "{\"a\":{\"$date\":\"2.0\"}}"}"#)
    #expect(ref["a", "$date"] as? String == "2.0")
    #expect(try encoded(["a": ["$date": "2.0"]]) == #"{"dictionary":"{\"a\":{\"$date\":\"2.0\"}}"}"#)
  }

  @Test func `objects are archived as nil`() throws {
    let object = NSObject()
    let ref = try decoded(try encoded(["object": object, "a": 1]))
    #expect(ref == FlaskDictRef(["object": FlaskNil(), "a": 1]))
  }

  @Test func `an optional dictionary comes back as nil or as it was`() throws {
    let none = try JSONEncoder().encode(State())
    #expect(try JSONDecoder().decode(State.self, from: none) == State())
    let some = State(info: FlaskDictRef(["a": ["b": 1]]))
    #expect(try JSONDecoder().decode(State.self, from: try JSONEncoder().encode(some)) == some)
  }

  @Test(arguments: [
    (#"{"dictionary": "{\"a\":}"}"#, "unexpected character at byte 5 of the text"),
    (#"{"dictionary": "[1]"}"#, "not an object at byte 0 of the text"),
    (
      #"{"dictionary": "{\"a\":{\"$never\":\"\"}}", "marked": true}"#,
      "not a marked value at byte 5 of the text"
    ),
    (
      #"{"dictionary": "{\"a\":{\"$date\":\"x\"}}", "marked": true}"#,
      "not a marked value at byte 5 of the text"
    ),
    (
      #"{"dictionary": "{\"a\":{\"$nil\":\"\",\"b\":1}}", "marked": true}"#,
      "not a marked value at byte 5 of the text"
    ),
  ]) func `what cannot be read is a decoding error that says where`(archive: String, reason: String) {
    #expect {
      try decoded(archive)
    } throws: { error in
      guard case .dataCorrupted(let context) = error as? DecodingError else { return false }
      return context.codingPath.map(\.stringValue) == ["dictionary"] && context.debugDescription == reason
    }
  }
}
