import FlaskDiff
import FlaskRefs
import Foundation
import Testing

@Suite struct DepthTests {
  private static let levels = 50_000

  private func deepTable(_ leaf: Any) -> FlaskDictRef {
    var ref = FlaskDictRef(["leaf": leaf])
    for _ in 0..<Self.levels {
      var outer = FlaskDictRef()
      outer["k"] = ref
      ref = outer
    }
    return ref
  }

  /// Performs `body` on a thread with a stack of that size, in bytes.
  private func onThread(stack: Int, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = stack
    thread.start()
    done.wait()
  }

  @Test func `deep tables are compared, described and released on a small stack`() {
    onThread(stack: 512 << 10) {
      let a = deepTable(1)
      #expect(a == deepTable(1))
      #expect(a != deepTable(2))
      #expect(a.description.utf8.count == 50_000 * 6 + 10)
    }
  }

  @Test func `a deep table changes one key of the state`() {
    onThread(stack: 512 << 10) {
      #expect(StateDiff.changes(from: deepTable(1), to: deepTable(1)).isEmpty)
      #expect(StateDiff.changes(from: deepTable(1), to: deepTable(2)).contains("k.k.k"))
    }
  }

  @Test func `deep archives are written and read on a small stack`() {
    onThread(stack: 512 << 10) {
      let ref = deepTable(1)
      #expect(throws: Never.self) {
        let data = try JSONEncoder().encode(ref)
        let decoded = try JSONDecoder().decode(FlaskDictRef.self, from: data)
        #expect(decoded == ref)
      }
    }
  }

  @Test func `lists in lists of any depth can be read, put back and compared`() {
    onThread(stack: 512 << 10) {
      let lists = String(repeating: "[", count: Self.levels) + String(repeating: "]", count: Self.levels)
      let archive = Data(#"{"dictionary": "{\"a\":\#(lists)}"}"#.utf8)
      #expect(throws: Never.self) {
        let ref = try JSONDecoder().decode(FlaskDictRef.self, from: archive)
        var copy = FlaskDictRef()
        copy["a"] = ref["a"]
        #expect(copy == ref)
        #expect(StateDiff.changes(from: ref, to: copy).isEmpty)
        copy["b"] = 1
        #expect(StateDiff.changes(from: ref, to: copy).keys == ["b"])
      }
    }
  }

  @Test func `a change at the bottom of lists in lists is seen at their key`() {
    for depth in [1, 15, 16, 17, 40, 100] {
      var (old, new): (Any, Any) = (1, 2)
      for _ in 0..<depth { (old, new) = ([old], [new]) }
      let ref = FlaskDictRef(["a": old, "b": old])
      var copy = ref
      copy["a"] = new
      copy["b"] = old
      #expect(StateDiff.changes(from: ref, to: copy).keys == ["a"])
    }
  }

  @Test func `a text that opens and never closes is an error`() {
    onThread(stack: 512 << 10) {
      for opening in ["[", #"{\"a\":"#] {
        let text = String(repeating: opening, count: Self.levels)
        let archive = Data(#"{"dictionary": "{\"a\":\#(text)"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FlaskDictRef.self, from: archive) }
      }
    }
  }

  @Test func `some thousand levels come from Swift and go back`() {
    onThread(stack: 64 << 20) {
      var source: [String: Any] = [:]
      for _ in 0..<5_000 { source = ["k": source] }
      let ref = FlaskDictRef(source)
      #expect(ref.description.utf8.count == 5_000 * 6 + 2)
      #expect(FlaskDictRef(ref.dictionary) == ref)
      #expect(FlaskDictRef(ref.nsDictionary) == ref)
    }
  }
}
