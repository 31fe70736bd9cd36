@testable import FlaskPrimitives
import FlaskDiff
import Foundation
import Testing

@testable import FlaskRefs

@Suite struct JSONTextTests {
  private func normalized(_ text: String) throws -> String {
    JSONTextWriter.text(of: try JSONTextReader.branch(from: text, isMarked: false)).text
  }

  @Test func `white space, escapes and all kinds of values are read`() throws {
    #expect(try normalized(" {\t\"b\" : [ ] ,\r\n\"a\":{ } } ") == #"{"a":{},"b":[]}"#)
    #expect(
      try normalized(#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"}"#)
        == #"{"a":"\"\\/\u0008\u000c\n\u000d\u0009é😀\u0000"}"#
    )
    #expect(
      try normalized(#"{"a":[0,-0,12,-3,0.5,1E2,1e-2,2e+1,true,false,null,18446744073709551616]}"#)
        == #"{"a":[0,0,12,-3,0.5,100.0,0.01,20.0,true,false,null,1.8446744073709552e+19]}"#
    )
  }

  @Test func `of a key that stands twice the last counts`() throws {
    #expect(try normalized(#"{"a":1,"a":2}"#) == #"{"a":2}"#)
  }

  @Test(arguments: [
    "", " ", "{", "}", "[", "1", "null", "\"a\"", "[]", "{}x", "{} {}", "{,}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#,
    #"{"a":1 "b":2}"#, #"{a:1}"#, #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#, #"{"a":[1}"#, #"{"a":{]}"#,
    #"{"a":01}"#, #"{"a":+1}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":1e999}"#,
    #"{"a":NaN}"#,
    #"{"a":tru}"#, #"{"a":"}"#, #"{"a":"\"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\ud800"}"#,
    #"{"a":"\ud800\u0041"}"#, #"{"a":"\udc00"}"#, "{\"a\":\"\n\"}", "{\"a\":1}\u{0}", "\u{FEFF}{}",
  ]) func `what is no JSON object is an error`(text: String) {
    #expect(throws: JSONError.self) { try JSONTextReader.branch(from: text, isMarked: false) }
  }

  @Test func `every beginning of a text is an error and nothing worse`() {
    let text = #"{"a":[1,-2.5e3,"x\u00e9\n",{"b":null}],"c":{"$date":"1.0"},"d":true}"#
    for length in 0..<text.utf8.count {
      let beginning = String(decoding: text.utf8.prefix(length), as: UTF8.self)
      #expect(throws: JSONError.self) { try JSONTextReader.branch(from: beginning, isMarked: true) }
    }
  }

  @Test func `damaged texts are read or are errors, and what is read comes back`() throws {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",{"b":null}],"c":{"$date":"1.0"},"$$d":true}"#.utf8)
    var random = SeededRandom(seed: 7)
    var survivors = 0
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let isMarked = Bool.random(using: &random)
      let damagedText = String(decoding: damaged, as: UTF8.self)
      guard let branch = try? JSONTextReader.branch(from: damagedText, isMarked: isMarked) else { continue }
      survivors += 1
      let (written, marked) = JSONTextWriter.text(of: branch)
      let again = try JSONTextReader.branch(from: written, isMarked: marked)
      #expect(Branch.areEqual(branch, again))
    }
    #expect(survivors > 1_000)
  }
}

/// A generator of the same numbers in every run (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
