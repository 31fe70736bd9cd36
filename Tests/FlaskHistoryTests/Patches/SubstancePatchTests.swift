import FlaskEntities
import FlaskPrimitives
import FlaskHistory
import Foundation
import Synchronization
import Testing
import TestSupport

@Suite struct SubstancePatchTests {
  private func isolated<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Flux.$current.withValue(Flux(), operation: body)
  }

  @Test func `patches are applied as one operation`() async throws {
    let sheet = isolated { Substance(Sheet()) }
    let told = Mutex<[String]>([])
    let token = sheet.observe(\.count) { old, new in told.withLock { $0.append("\(old) → \(new)") } }
    var new = Sheet()
    new.count = 5
    new.title = "x"
    let patch = StatePatch(from: Sheet(), to: new)
    guard case .committed(let keys) = await sheet.apply(patch).outcome else {
      Issue.record("not committed")
      return
    }
    #expect(keys == ["title", "count"])
    #expect(sheet.state == new)
    #expect(told.withLock { $0 } == ["0 → 5"])
    guard case .failed(let error) = await sheet.apply(patch).outcome else {
      Issue.record("applied twice")
      return
    }
    #expect((error as? PatchMismatch)?.key == "title")
    #expect(sheet.state == new)
    token.cancel()
  }

  @Test func `each commit is passed as a patch`() {
    let sheet = isolated { Substance(Sheet()) }
    let keys = Mutex<[[String]]>([])
    let token = sheet.observePatches { patch in keys.withLock { $0.append(patch.keys) } }
    sheet.mix { $0.count = 1 }
    sheet.mix { $0.count = 1 }
    sheet.mix {
      $0.numbers = [1, 2]
      $0.note = "n"
    }
    token.cancel()
    sheet.mix { $0.count = 2 }
    #expect(keys.withLock { $0 } == [["count"], ["note", "numbers.0", "numbers.1"]])
  }

  @Test @MainActor func `a closure is notified on the isolation that it was made on`() async {
    let sheet = isolated { Substance(Sheet()) }
    var patches: [StatePatch<Sheet>] = []
    let token = sheet.observePatches { patches.append($0) }
    await Task.detached { _ = sheet.mix { $0.count = 1 } }.value
    while patches.isEmpty { await Task.yield() }
    #expect(patches.map(\.keys) == [["count"]])
    token.cancel()
  }

  @Test func `a sequence hands over every commit, and ends with the substance`() async throws {
    var sheet: Substance<Sheet>? = isolated { Substance(Sheet()) }
    let patches = try #require(sheet).patches()
    var iterator = patches.makeAsyncIterator()
    for count in 1...3 { sheet?.mix { $0.count = count } }
    sheet = nil
    var state = Sheet()
    while let patch = await iterator.next() { try patch.apply(to: &state) }
    #expect(state.count == 3)
  }

  @Test func `patches keep another substance up to date`() throws {
    let (first, second) = isolated { (Substance(Sheet()), Substance(Sheet())) }
    let token = first.observePatches { second.apply($0) }
    let seed = Workload.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var next = first.state
      next.edit(using: &generator)
      first.mix { [next] in $0 = next }
      try #require(second.state == first.state, "seed \(seed)")
    }
    token.cancel()
  }
}
