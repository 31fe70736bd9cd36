import FlaskHistory
import Foundation
import Testing

private struct Board: FlaskState {
  var title = ""
  var rows: [Int] = []
}

/// What docs/patches.md shows.
@Suite struct PatchesPageTests {
  @Test func `the forms of the page on patches`() async throws {
    let board = Flux.$current.withValue(Flux()) { Substance<Board>() }
    func send(_ data: Data) { #expect(!data.isEmpty) }
    @Sendable func log(_ keys: [String]) { #expect(keys == ["title", "rows.0"]) }
    let (old, new) = (board.state, Board(title: "x", rows: [1]))
    let patches = board.patches()
    var iterator = patches.makeAsyncIterator()

    let token = board.observePatches { patch in log(patch.keys) }

    let patch = StatePatch(from: old, to: new)
    var state = old
    try patch.apply(to: &state)
    #expect(StatePatch(from: state, to: new).isEmpty)
    try patch.inverted().apply(to: &state)
    #expect(StatePatch(from: state, to: old).isEmpty)

    board.apply(patch)
    if let patch = await iterator.next() { send(try JSONEncoder().encode(patch)) }
    token.cancel()
    let reader = Task { for await patch in board.patches() { _ = try JSONEncoder().encode(patch) } }
    reader.cancel()
    try await reader.value
    #expect(patch.values.map(\.description) == ["- title: \"\"\n+ title: \"x\"", "+ rows.0: 1"])
    #expect(patch.byteCount > 0)
  }
}
