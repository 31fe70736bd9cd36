import FlaskRefs
import Foundation
import Testing

@Suite struct ConversionTests {
  final class Screen {}
  struct Point: Equatable { var x = 1 }

  @Test func `numbers of Foundation keep their kind`() {
    let numbers: NSDictionary = [
      "true": NSNumber(value: true), "false": NSNumber(value: false), "int": NSNumber(value: 1),
      "small": NSNumber(value: Int8(1)), "whole": NSNumber(value: 1.0), "float": NSNumber(value: Float(0.5)),
      "max": NSNumber(value: UInt64.max), "decimal": NSDecimalNumber(string: "1.1"),
    ]
    let ref = FlaskDictRef(numbers)
    #expect(ref["true"] as? Bool == true)
    #expect(ref["false"] as? Bool == false)
    #expect(ref["int"] is Int)
    #expect(ref["small"] as? Int == 1)
    #expect(ref["whole"] is Double)
    #expect(ref["float"] as? Double == 0.5)
    #expect(ref["max"] as? UInt == .max)
    #expect(ref["decimal"] is Decimal)
    let inSwift = FlaskDictRef(["true": NSNumber(value: true), "one": NSNumber(value: 1), "null": NSNull()])
    #expect(inSwift.description == #"{"null":null,"one":1,"true":true}"#)
  }

  @Test func `numbers of Swift keep their kind`() {
    let ref = FlaskDictRef([
      "u8": UInt8(200), "i16": Int16(-5), "u64": UInt64(7), "float": Float(0.5), "bool": true,
      "huge": Int128.max,
    ])
    #expect(ref["u8"] as? Int == 200)
    #expect(ref["i16"] as? Int == -5)
    #expect(ref["u64"] as? Int == 7)
    #expect(ref["float"] as? Double == 0.5)
    #expect(ref["bool"] is Bool)
    #expect(ref["huge"] is Decimal)
  }

  @Test func `texts, dates, data and addresses come as the types of Swift`() throws {
    let ref = FlaskDictRef(
      [
        "text": NSString(string: "t"), "part": "xyz".dropFirst(),
        "date": NSDate(timeIntervalSinceReferenceDate: 1),
        "data": NSData(data: Data([1])), "url": try #require(NSURL(string: "a:b")),
      ]
    )
    #expect(ref["text"] as? String == "t")
    #expect(ref["part"] as? String == "yz")
    #expect(ref["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
    #expect(ref["data"] as? Data == Data([1]))
    #expect((ref["url"] as? URL)?.absoluteString == "a:b")
  }

  @Test func `typed and optional contents are looked into`() {
    let ref = FlaskDictRef([
      "ints": ["a": 1], "lists": [["x"], []] as [[String]], "optionals": [1, nil] as [Int?],
      "some": Optional(["a": Optional(true)]) as Any, "hashable": AnyHashable(1), "empty": [String: Int](),
    ])
    #expect(
      ref.description
        == #"{"empty":{},"hashable":1,"ints":{"a":1},"lists":[["x"],[]],"optionals":[1,{"$nil":""}],"some":{"a":true}}"#
    )
  }

  @Test func `keys that are no texts become their description, and texts come first`() {
    #expect(FlaskDictRef([7: "seven", "a": 1] as NSDictionary).description == #"{"7":"seven","a":1}"#)
    let same: [AnyHashable: Any] = [1: "number", "1": "text"]
    #expect(FlaskDictRef(["t": same]).description == #"{"t":{"1":"text"}}"#)
  }

  @Test func `an object comes back as itself and is kept alive`() {
    weak var weakScreen: Screen?
    let ref: FlaskDictRef = {
      let screen = Screen()
      weakScreen = screen
      return FlaskDictRef(["screen": screen])
    }()
    #expect(weakScreen != nil)
    #expect(ref["screen"] as? Screen === weakScreen)
    #expect(ref == FlaskDictRef(["screen": ref["screen"] ?? 0]))
    #expect(ref != FlaskDictRef(["screen": Screen()]))
  }

  @Test func `values of other types are compared by content`() {
    #expect(FlaskDictRef(["p": Point()]) == FlaskDictRef(["p": Point()]))
    #expect(FlaskDictRef(["p": Point()]) != FlaskDictRef(["p": Point(x: 2)]))
    #expect(FlaskDictRef(["p": Point()])["p"] as? Point == Point())
  }

  @Test func `everything is converted back to Swift`() {
    let ref = FlaskDictRef(["a": ["b": [1, ["c": "d"]]], "n": NSNull(), "i": FlaskNil()])
    let dictionary = ref.dictionary
    let list = (dictionary["a"] as? [String: Any])?["b"] as? [Any]
    #expect(list?.first as? Int == 1)
    #expect(list?.last as? [String: String] == ["c": "d"])
    #expect(dictionary["n"] is NSNull)
    #expect(dictionary["i"] is FlaskNil)
    #expect(FlaskDictRef(dictionary) == ref)
  }

  @Test func `everything is converted back to Foundation`() {
    let source: NSDictionary = ["a": ["b": [1, true, 1.5, "x"]], "n": NSNull()]
    let ref = FlaskDictRef(source)
    #expect(ref.nsDictionary == source)
    #expect(FlaskDictRef(ref.nsDictionary) == ref)
    let marked = FlaskDictRef([
      "i": FlaskNil(), "d": Date(timeIntervalSinceReferenceDate: 1), "u": UInt64.max,
    ])
    #expect(FlaskDictRef(marked.nsDictionary) == marked)
  }

  @Test func `an empty dictionary is empty`() {
    #expect(FlaskDictRef() == FlaskDictRef(NSDictionary()))
    #expect(FlaskDictRef([:]).count() == 0)
    #expect(FlaskDictRef().dictionary.isEmpty)
    #expect(FlaskDictRef().nsDictionary.count == 0)
  }
}
