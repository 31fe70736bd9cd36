import FlaskDiff
import Testing

@Suite struct EnumTests {
  final class Token {}
  enum Load { case idle, other, done(token: Token, [Int]), failed((any Error)?) }
  enum Mute: CustomStringConvertible {
    case a, b
    case c(() -> Void)
    var description: String { "same" }
  }
  enum Plain { case a, b }
  enum Strict: Equatable { case text(String), number(Int) }
  indirect enum Tree: Equatable { case leaf, node(Tree, Int, Tree) }
  indirect enum Chain { case end, link(Int, Chain) }
  struct State {
    var load = Load.idle
    var mute = Mute.a
    var plain = Plain.a
    var strict = Strict.text("a")
    var tree = Tree.node(.leaf, 1, .leaf)
    var chain = Chain.link(1, .end)
    var result: Result<Int, any Error> = .success(1)
  }

  @Test func `a change of case is a change`() {
    #expect(changedKeys(State()) { $0.load = .other } == ["load"])
    #expect(changedKeys(State()) { $0.mute = .b } == ["mute"])
    #expect(changedKeys(State()) { $0.plain = .b } == ["plain"])
    #expect(changedKeys(State()) { $0.strict = .number(1) } == ["strict"])
    #expect(changedKeys(State()) { $0.result = .success(2) } == ["result"])
  }

  @Test func `equal payloads of different cases are a change`() {
    enum Twin { case first(Int, Token?), second(Int, Token?) }
    struct Holder { var twin = Twin.first(1, nil) }
    #expect(changedKeys(Holder()) { $0.twin = .second(1, nil) } == ["twin"])
    #expect(changedKeys(Holder()) { $0.twin = .first(1, nil) } == [])
  }

  @Test func `payloads are compared, not their storage`() {
    let token = Token()
    var state = State()
    state.load = .done(token: token, [1, 2])
    #expect(changedKeys(state) { $0.load = .done(token: token, [1] + [2]) } == [])
    #expect(changedKeys(state) { $0.load = .done(token: token, [1]) } == ["load"])
    #expect(changedKeys(state) { $0.load = .done(token: Token(), [1, 2]) } == ["load"])
    #expect(changedKeys(state) { $0.strict = .text("b") } == ["strict"])
  }

  @Test func `recursive enums are compared by content`() {
    #expect(changedKeys(State()) { $0.tree = .node(.leaf, 1, .leaf) } == [])
    #expect(changedKeys(State()) { $0.tree = .node(.leaf, 2, .leaf) } == ["tree"])
    #expect(changedKeys(State()) { $0.chain = .link(1, .end) } == [])
    #expect(changedKeys(State()) { $0.chain = .link(1, .link(1, .end)) } == ["chain"])
  }
}
