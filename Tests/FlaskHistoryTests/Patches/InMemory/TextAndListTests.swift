import FlaskHistory
import Testing
import TestSupport

/// Changes of texts and lists, by their patches.
@Suite struct TextAndListTests {
  @Test func `a long text is held by the piece that differs`() throws {
    let old = String(repeating: "naïve 🛠️ text ", count: 200)
    for change in [
      { (text: inout String) in text.append("!") },
      { $0.removeFirst() },
      { $0.replace("ï", with: "î", maxReplacements: 3) },
      { $0.insert(contentsOf: "🛠", at: $0.index($0.startIndex, offsetBy: 501)) },
      { $0 = "" },
    ] {
      var new = old
      change(&new)
      let patch = StatePatch(from: old, to: new)
      var text = old
      try patch.apply(to: &text)
      #expect(Array(text.utf8) == Array(new.utf8))
      try patch.inverted().apply(to: &text)
      #expect(Array(text.utf8) == Array(old.utf8))
    }
  }

  @Test func `a piece of a text must be where it was`() {
    let old = String(repeating: "a", count: 300) + "x" + String(repeating: "b", count: 300)
    let patch = StatePatch(from: old, to: old.replacing("x", with: "yz"))
    #expect(patch.description == "- \"x\"\n+ \"yz\"")
    #expect(throws: PatchMismatch.self) { try patch.applied(to: "b" + old) }
    #expect(throws: PatchMismatch.self) { try patch.applied(to: "") }
    #expect(throws: PatchMismatch.self) { try patch.applied(to: String(repeating: "é", count: 300)) }
    #expect((try? patch.applied(to: old + "more"))?.hasSuffix("bmore") == true)
  }

  @Test func `random lists are patched, and by few elements if few were edited`() throws {
    let seed = Workload.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Workload.count(2_000, full: 50_000) {
      let old = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        Int.random(in: 0...9, using: &generator)
      }
      var new = old
      let edits = Int.random(in: 0...8, using: &generator)
      for _ in 0..<edits {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: new.insert(77, at: Int.random(in: 0...new.count, using: &generator))
        case 1: if !new.isEmpty { new.remove(at: Int.random(in: 0..<new.count, using: &generator)) }
        default: if !new.isEmpty { new[Int.random(in: 0..<new.count, using: &generator)] = 88 }
        }
      }
      let patch = StatePatch(from: old, to: new)
      try #require(try patch.applied(to: old) == new, "seed \(seed)")
      try #require(try patch.inverted().applied(to: new) == old, "seed \(seed)")
      try #require(patch.values.count <= max(2 * edits, 24), "seed \(seed)")
    }
  }

  @Test func `edits far from each other are held apart`() {
    let old = Array(0..<10_000)
    var new = old
    new.remove(at: 9_000)
    new.insert(-1, at: 10)
    new.insert(-2, at: 5_000)
    let patch = StatePatch(from: old, to: new)
    #expect(patch.description == "+ 10: -1\n+ 5000: -2\n- 9002: 9000")
  }
}
