import FlaskDiff
import Foundation
import Testing

@Suite struct RecursionTests {
  indirect enum Chain { case end, link(Int, Chain) }
  final class Node {
    var next: Node?
    var value = 0
  }
  struct Branch { var name = "a"; var children: [Branch] = [] }
  struct State { var chain = Chain.end; var node = Node(); var branch = Branch(); var any: Any = 0 }

  @Test
  func `a chain of 100,000 links neither hangs nor overflows a small stack`() async {
    let keys = await onThread(stackSize: 512 << 10) {
      let a = Self.chain(of: 100_000)
      let b = Self.chain(of: 100_000)
      return StateDiff.areEqual(a.pointee, b.pointee) ? [] : ["chain"]
    }
    #expect(keys == ["chain"])
  }

  @Test func `objects in a cycle are compared by identity`() {
    let state = State()
    state.node.next = state.node
    defer { state.node.next = nil }
    #expect(changedKeys(state) { $0.node.value = 1 } == [])
    #expect(changedKeys(state) { $0.node = Node() } == ["node"])
  }

  @Test func `structs that hold their own kind are compared by content`() {
    var state = State()
    state.branch.children = [Branch(name: "b", children: [Branch(name: "c")])]
    #expect(changedKeys(state) { $0.branch.children = $0.branch.children.map { $0 } } == [])
    #expect(
      changedKeys(state) { $0.branch.children[0].children[0].name = "d" } == [
        "branch", "branch.children",
      ]
    )
  }

  @Test func `deeply nested existentials do not overflow a small stack`() async {
    let keys = await onThread(stackSize: 512 << 10) {
      func nest() -> Any {
        var value: Any = 1
        for _ in 0..<1_000 { value = [value] }
        return value
      }
      var state = State()
      state.any = nest()
      return changedKeys(state) { $0.any = nest() }
    }
    #expect(keys == ["any"])
  }

  /// Equal by its `==`, however it differs.
  struct Folder: Equatable, Identifiable {
    var id = 0
    var folders: [Folder] = []
    static func == (a: Folder, b: Folder) -> Bool { true }

    static func nested(_ depth: Int, innermost id: Int) -> Folder {
      depth == 0 ? Folder(id: id) : Folder(folders: [nested(depth - 1, innermost: id)])
    }
  }

  struct Row: Identifiable {
    let id = 0
    var folder: Folder
  }

  @Test func `values are looked into 64 levels deep, and below that their own == decides`() {
    func depth(_ areEqual: (Folder, Folder) -> Bool) -> Int? {
      (0..<100).first { areEqual(.nested($0, innermost: 1), .nested($0, innermost: 2)) }
    }
    // A folder is one level, and the array in it another.
    // The properties of the compared value itself are looked into first.
    #expect(depth { StateDiff.areEqual($0, $1) } == 33)
    let inList = depth { a, b in
      ElementChanges(from: [Row(folder: a)], to: [Row(folder: b)]).updates.isEmpty
    }
    #expect(inList == 32)
  }

  @Test func `below 64 levels what has no == is another`() {
    func nested(_ depth: Int) -> Branch { depth == 0 ? Branch() : Branch(children: [nested(depth - 1)]) }
    #expect(StateDiff.areEqual(nested(31), nested(31)))
    #expect(!StateDiff.areEqual(nested(33), nested(33)))
  }

  /// Kept for ever, since the compiler's release of such a chain is recursive itself.
  @inline(never)
  private static func chain(of count: Int) -> UnsafeMutablePointer<Chain> {
    let chain = UnsafeMutablePointer<Chain>.allocate(capacity: 1)
    chain.initialize(to: .end)
    for number in 0..<count { chain.pointee = .link(number, chain.pointee) }
    return chain
  }

  private func onThread(
    stackSize: Int,
    _ body: @escaping @Sendable () -> [String]
  ) async -> [String] {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = stackSize
      thread.start()
    }
  }
}
