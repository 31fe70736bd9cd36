import FlaskArchive
import FlaskHistory
import FlaskInsight
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A state that is nested as deeply as an archive may have it, on a thread with a stack of 512 KB.
@Suite(.ownFlux) struct DeepStateTests {
  struct Branch: Codable, Sendable {
    var name = ""
    var children: [Branch] = []
  }

  struct Link: Codable, Sendable {
    var name = ""
    var next: [String: Link] = [:]
  }

  struct Deep: FlaskState {
    var branch = Branch()
    var link: Link?
    var count = 0

    init() {}

    init(_ name: String, depth: Int) {
      branch = Branch(name: name)
      var link = Link(name: name)
      // Each level of the branch is two of a text: an object in an array.
      for number in 0..<depth / 2 {
        branch = Branch(name: "\(number)", children: [branch])
        link = Link(name: "\(number)", next: ["next": link])
      }
      self.link = link
    }

    var deepest: String {
      var branch = branch
      while let next = branch.children.first { branch = next }
      return branch.name
    }
  }

  private static let depth = 390

  private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async
    -> Result?
  {
    let flux = Flux.current
    return await OtherThread.run { Flux.$current.withValue(flux) { try? body() } }
  }

  @Test func `it is mixed, compared and observed`() async {
    let keys = await onSmallStack {
      let deep = Substance(Deep("a", depth: Self.depth))
      let heard = Recorder<String>()
      let token = deep.observe(\.count, isolation: nil) { heard.append("\($0) → \($1)") }
      deep.mix { $0 = Deep("b", depth: Self.depth) }
      deep.mix { $0.count = 1 }
      withExtendedLifetime(token) {}
      return heard.count
    }
    #expect(keys == 1)
  }

  @Test func `a patch is made, described, applied, inverted and encoded`() async {
    let names = await onSmallStack {
      // Values below 64 levels count as equal if they share their memory.
      let old = Deep("a", depth: Self.depth)
      let patch = StatePatch(from: old, to: Deep("b", depth: Self.depth))
      var state = old
      try patch.apply(to: &state)
      let there = state.deepest
      try patch.inverted().apply(to: &state)
      _ = patch.keys
      _ = patch.byteCount
      _ = "\(patch)"
      return [there, state.deepest]
    }
    #expect(names == ["b", "a"])
  }

  @Test func `it is undone and redone`() async {
    let names = await onSmallStack {
      let deep = Substance(Deep("a", depth: Self.depth))
      let history = History(of: deep)
      deep.mix { $0 = Deep("b", depth: Self.depth) }
      deep.mix { $0 = Deep("c", depth: Self.depth) }
      history.undo()
      let first = deep.state.deepest
      history.undo()
      let second = deep.state.deepest
      history.redo()
      return [first, second, deep.state.deepest]
    }
    #expect(names == ["b", "a", "b"])
  }

  @Test func `it is recorded and traced, with values`() async throws {
    let folder = TestFolder()
    let deep = Substance(Deep("a", depth: Self.depth), name: "deep")
    let recorder = try Recorder(to: folder.url, of: .current, beginningWith: [deep])
    let trace = Trace(of: .current, values: .all)
    let count = await onSmallStack {
      deep.mix { $0 = Deep("b", depth: Self.depth) }
      return trace.records.map(\.description).count
    }
    #expect(count == 1)
    await recorder.stop()
    let recording = try Recording(contentsOf: folder.url)
    #expect(recording.operations.count == 1)
  }

  @Test func `it is archived`() async {
    let saved = await onSmallStack {
      let backend = MemoryArchive()
      let deep = Substance(Deep(), name: "deep", archive: true, in: backend)
      deep.mix { $0 = Deep("b", depth: Self.depth) }
      let isSaved = deep.archiveNow()
      deep.shouldArchive = false
      return isSaved && Substance(Deep(), name: "deep", archive: true, in: backend).state.deepest == "b"
    }
    #expect(saved == true)
  }
}
