import FlaskRefs
import Foundation
import Testing

@Suite struct FlaskDictRefTests {
  @Test func `a dictionary of Foundation is taken over`() {
    let data: NSDictionary = [
      "foo": "bar",
      "nest": [
        "data": "some"
      ],
    ]
    let ref = FlaskDictRef(data)
    #expect(ref["foo"] as? String == "bar")
    #expect((ref["nest"] as? FlaskDictRef)?["data"] as? String == "some")
    #expect(ref["nest", "data"] as? String == "some")
    #expect(ref.keys() == ["foo", "nest"])
    #expect(ref.count() == 2)
  }

  @Test func `a dictionary of Swift is taken over`() {
    let ref = FlaskDictRef(["foo": "bar", "n": 1, "nest": ["deep": ["data": "some"]]])
    #expect(ref["foo"] as? String == "bar")
    #expect(ref["n"] as? Int == 1)
    #expect(ref["nest", "deep", "data"] as? String == "some")
    #expect(ref["nest", "deep", "none"] == nil)
    #expect(ref["foo", "none"] == nil)
    #expect(ref["none"] == nil)
  }

  @Test func `later changes of mutable objects that were put in are not seen`() {
    let inner = NSMutableDictionary()
    inner["a"] = 1
    let list = NSMutableArray()
    let text = NSMutableString(string: "old")
    let ref = FlaskDictRef(["inner": inner, "list": list, "text": text])
    inner["a"] = 2
    list.add(1)
    text.append("er")
    #expect(ref.description == #"{"inner":{"a":1},"list":[],"text":"old"}"#)
  }

  @Test func `setting adds, replaces and removes`() {
    var ref = FlaskDictRef(["a": 1, "b": 2])
    ref["a"] = "text"
    ref["b"] = nil
    ref["c"] = ["x": [1, 2]]
    #expect(ref.description == #"{"a":"text","c":{"x":[1,2]}}"#)
  }

  @Test func `a copy knows nothing of later changes of the other`() {
    let old = FlaskDictRef(["a": 1, "nest": ["b": 1]])
    var new = old
    new["a"] = 2
    new["nest", "b"] = 2
    #expect(old.description == #"{"a":1,"nest":{"b":1}}"#)
    #expect(new.description == #"{"a":2,"nest":{"b":2}}"#)
  }

  @Test func `setting through nested dictionaries makes those that are missing`() {
    var ref = FlaskDictRef(["a": 1, "nest": ["x": 1, "y": 2]])
    ref["nest", "x"] = 5
    ref["new", "deep", "er"] = true
    ref["a", "b"] = "instead"
    ref["nest", "y"] = nil
    ref["none", "y"] = nil
    #expect(
      ref.description == #"{"a":{"b":"instead"},"nest":{"x":5},"new":{"deep":{"er":true}}}"#
    )
  }

  @Test func `nil and null are entries of their own`() {
    var ref = FlaskDictRef(["null": NSNull(), "nil": FlaskNil(), "optional": Int?.none as Any])
    #expect(ref.keys() == ["nil", "null", "optional"])
    #expect(ref.count() == 3)
    #expect(ref["nil"] is FlaskNil)
    #expect(ref["optional"] is FlaskNil)
    #expect(ref["null"] is NSNull)
    ref["null"] = FlaskNil()
    ref["nil"] = NSNull()
    #expect(ref["null"] is FlaskNil)
    #expect(ref["nil"] is NSNull)
    #expect(FlaskDictRef(["a": FlaskNil()]) != FlaskDictRef(["a": NSNull()]))
    #expect(FlaskDictRef(["a": FlaskNil()]) != FlaskDictRef())
  }

  @Test func `a key with a dot is taken literally`() {
    let ref = FlaskDictRef(["a.b": 1, "a": ["b": 2]])
    #expect(ref["a.b"] as? Int == 1)
    #expect(ref["a", "b"] as? Int == 2)
  }

  @Test func `dictionaries with equal contents are equal`() {
    let text = FlaskDictRef(["a": [1, ["x": 1.5]], "d": Data([1])])
    #expect(text == FlaskDictRef(["d": Data([1]), "a": [1, ["x": 1.5]]] as NSDictionary))
    #expect(text != FlaskDictRef(["a": [1, ["x": 1.25]], "d": Data([1])]))
    #expect(text != FlaskDictRef(["a": [1, ["x": 1.5]]]))
    #expect(FlaskDictRef(["a": 1]) != FlaskDictRef(["b": 1]))
    #expect(FlaskDictRef(["a": [1]]) != FlaskDictRef(["a": [1, 2]]))
    #expect(FlaskDictRef(["a": [String: Any]()]) != FlaskDictRef(["a": [Any]()]))
  }

  @Test func `kinds of numbers differ and NaN equals itself`() {
    #expect(FlaskDictRef(["a": 1]) != FlaskDictRef(["a": 1.0]))
    #expect(FlaskDictRef(["a": 1]) != FlaskDictRef(["a": true]))
    #expect(FlaskDictRef(["a": Double.nan]) == FlaskDictRef(["a": Double.nan]))
    #expect(FlaskDictRef(["a": Double.nan]) == FlaskDictRef(["a": -Double.signalingNaN]))
    #expect(FlaskDictRef(["a": Double.nan]) != FlaskDictRef(["a": 0.0]))
    #expect(FlaskDictRef(["a": 0.0]) != FlaskDictRef(["a": Double.nan]))
    #expect(FlaskDictRef(["a": 0.0]) == FlaskDictRef(["a": -0.0]))
    #expect(FlaskDictRef(["a": Double.infinity]) != FlaskDictRef(["a": -Double.infinity]))
  }

  @Test func `a date that is not a number equals itself`() {
    let (never, now) = (Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: 1))
    #expect(FlaskDictRef(["a": never]) == FlaskDictRef(["a": never]))
    #expect(FlaskDictRef(["a": never]) != FlaskDictRef(["a": now]))
    #expect(FlaskDictRef(["a": now]) != FlaskDictRef(["a": never]))
    #expect(FlaskDictRef(["a": now]) == FlaskDictRef(["a": now]))
  }

  @Test func `values of two kinds differ, and each kind is compared by content`() throws {
    let values: [[Any]] = [
      [FlaskNil()], [NSNull()], [false, true], [0, 1], [UInt64.max, UInt64.max - 1], [0.0, 1.5],
      [try #require(Decimal(string: "0.1")), try #require(Decimal(string: "0.2"))], ["0", "1"],
      [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1)],
      [Data([0]), Data([1])], [try #require(URL(string: "a:0")), try #require(URL(string: "a:1"))],
      [[0], [1]], [["k": 0], ["k": 1], ["l": 0]],
    ]
    let all = values.flatMap { $0 }
    for (index, a) in all.enumerated() {
      for (other, b) in all.enumerated() {
        #expect((FlaskDictRef(["v": a]) == FlaskDictRef(["v": b])) == (index == other))
      }
    }
  }

  @Test func `one dictionary is read on many threads while copies of it are changed`() {
    let ref = FlaskDictRef(["a": ["b": [1, 2, ["c": "d"]]], "n": 1])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for round in 0..<200 {
        var copy = ref
        copy["a", "x"] = round
        copy["n"] = nil
        _ = copy.description
        _ = ref == copy
        _ = ref["a", "b"]
      }
    }
    #expect(ref.description == #"{"a":{"b":[1,2,{"c":"d"}]},"n":1}"#)
  }
}
