import FlaskEntities
import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Scopes of payloads of enum cases.
@Suite(.ownFlux) struct EnumCaseTests {
  struct Post: Identifiable, Sendable, Equatable {
    let id: Int
    var text = ""
  }

  struct Big: Sendable { var words: InlineArray<2_048, Int> = .init(repeating: 7) }

  enum Screen: Sendable {
    case home
    case post(Post)
    case draft(Post)
    case edit(id: Int)
    case move(from: Int, to: Int)
    case swap(Int, Int)
    case list([Post])
    case big(Big)
    case action(@Sendable () -> Void)
    indirect case behind(Screen)
  }

  enum Loaded<Value: Sendable>: Sendable {
    case none
    case some(Value)
    case other(Value)
  }

  indirect enum Tree: Sendable {
    case leaf(Int)
    case node(Tree, Tree)
  }

  struct Route: Sendable {
    var screen = Screen.home
    var sheet: Screen?
    var loaded = Loaded<Post>.none
    var tree = Tree.leaf(0)
    var count = 0
  }

  private let route = Substance(Route(), name: "route")

  @Test func `a payload is read, mixed, observed and scoped`() throws {
    #expect(route.scope(\.screen, case: Screen.post) == nil)
    route.mix { $0.screen = .post(Post(id: 1, text: "a")) }
    let post = try #require(route.scope(\.screen, case: Screen.post))
    #expect(post.text == "a")
    let heard = Recorder<String>()
    let token = post.observe(\.text, isolation: nil) { old, new in heard.append("\(old) \(new)") }
    let presence = post.observePresence(isolation: nil) { heard.append("\($0)") }
    post.mix { $0.text = "b" }
    post.scope(\.text).mix { $0 += "c" }
    #expect(heard.all == ["a b", "b bc"])
    route.mix { $0.screen = .home }
    #expect(heard.all == ["a b", "b bc", "false"])
    #expect(!post.isPresent)
    #expect(post.text == "bc")
    #expect("\(post.mix { $0.text = "late" })" == "FluxReceipt(gone)")
    route.mix { $0.screen = .post(Post(id: 2, text: "d")) }
    #expect(post.text == "d")
    withExtendedLifetime((token, presence)) {}
  }

  @Test func `two cases with payloads of one type are distinguished`() throws {
    route.mix { $0.screen = .draft(Post(id: 1, text: "draft")) }
    #expect(route.scope(\.screen, case: Screen.post) == nil)
    let draft = try #require(route.scope(\.screen, case: Screen.draft))
    route.mix { $0.screen = .post(Post(id: 2)) }
    #expect(!draft.isPresent)
    #expect(route.scope(\.screen, case: Screen.draft) == nil)
    #expect(route.scope(\.screen, case: Screen.post)?.id == 2)
    #expect("\(draft.mix { $0.text = "x" })" == "FluxReceipt(gone)")
  }

  @Test func `payloads with labels, several values, indirect and generic ones`() throws {
    route.mix { $0.screen = .edit(id: 5) }
    let id = try #require(route.scope(\.screen, case: Screen.edit))
    id.mix { $0 += 1 }
    #expect(id.value == 6)
    route.mix { $0.screen = .move(from: 1, to: 2) }
    #expect(route.scope(\.screen, case: Screen.swap) == nil)
    let move = try #require(route.scope(\.screen, case: Screen.move))
    move.mix { $0.1 = 9 }
    #expect(move.value == (1, 9))
    route.mix { $0.screen = .swap(3, 4) }
    #expect(!move.isPresent)
    #expect(try #require(route.scope(\.screen, case: Screen.swap)).value == (3, 4))
    route.mix { $0.screen = .behind(.behind(.edit(id: 7))) }
    let behind = try #require(route.scope(\.screen, case: Screen.behind))
    let inner = try #require(behind.scope(\.self, case: Screen.behind))
    let deep = try #require(inner.scope(\.self, case: Screen.edit))
    deep.mix { $0 = 8 }
    #expect(deep.value == 8)
    #expect(route.scope(\.loaded, case: Loaded<Post>.some) == nil)
    route.mix { $0.loaded = .some(Post(id: 3)) }
    #expect(route.scope(\.loaded, case: Loaded<Post>.some)?.id == 3)
    #expect(route.scope(\.loaded, case: Loaded<Post>.other) == nil)
    route.mix { $0.tree = .node(.leaf(1), .leaf(2)) }
    let node = try #require(route.scope(\.tree, case: Tree.node))
    node.scope(\.0, case: Tree.leaf)?.mix { $0 = 5 }
    #expect(node.scope(\.0, case: Tree.leaf)?.value == 5)
    #expect(node.scope(\.1, case: Tree.leaf)?.value == 2)
  }

  @Test func `the elements of a payload are scopes, too, and their observers hear of a replaced payload`()
    throws
  {
    route.mix { $0.screen = .list([Post(id: 1), Post(id: 2)]) }
    let list = try #require(route.scope(\.screen, case: Screen.list))
    let second = try #require(list.scope(\.self, id: 2))
    second.mix { $0.text = "x" }
    #expect(list.value.map(\.text) == ["", "x"])
    route.mix { $0.screen = .list([Post(id: 2, text: "y")]) }
    #expect(second.text == "y")
    route.mix { $0.screen = .home }
    #expect(!second.isPresent)
  }

  @Test func `the case of an optional enum`() throws {
    #expect(route.scope(\.sheet, case: Screen.post) == nil)
    route.mix { $0.sheet = .post(Post(id: 1)) }
    let post = try #require(route.scope(\.sheet, case: Screen.post))
    post.mix { $0.text = "a" }
    #expect(post.text == "a")
    route.mix { $0.sheet = .home }
    #expect(!post.isPresent)
    route.mix { $0.sheet = nil }
    #expect("\(post.mix { $0.text = "late" })" == "FluxReceipt(gone)")
    #expect(route.state.sheet == nil)
  }

  @Test func `a payload of 16 KB is read and mixed on a small stack`() async {
    route.mix { $0.screen = .big(Big()) }
    let sum = await OtherThread.run(stack: 512 * 1024) { [route] in
      guard let big = route.scope(\.screen, case: Screen.big) else { return -1 }
      big.mix { $0.words[2_047] = 1 }
      return big.words[0] + big.words[2_047]
    }
    #expect(sum == 8)
  }

  @Test func `a case that cannot be read is a fault`() {
    enum Odd: Sendable {
      case type(Int.Type)
      case number(Int)
    }
    enum Own: Sendable, CustomReflectable {
      case number(Int)
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    let odd = Substance(Odd.number(1))
    #expect(odd.scope(\.self, case: Odd.number) == nil)
    let own = Substance(Own.number(1))
    #expect(own.scope(\.self, case: Own.number) == nil)
    route.mix { $0.screen = .action {} }
    #expect(route.scope(\.screen, case: Screen.action) == nil)
    #expect(FaultLog.takeKinds() == [.layoutInDoubt, .layoutInDoubt, .layoutInDoubt])
  }

  @Test func `a constructor that makes values of another case finds nothing`() {
    route.mix { $0.screen = .post(Post(id: 1)) }
    #expect(route.scope(\.screen, case: { Screen.draft($0) }) == nil)
    #expect(route.scope(\.screen, case: { Screen.post($0) })?.id == 1)
  }

  @Test func `a case of 500 is found, on a small stack`() async {
    let many = Substance(ManyCases.c499(1))
    let found = await OtherThread.run(stack: 512 * 1024) {
      many.scope(\.self, case: ManyCases.c499)?.mix { $0 += 1 }
      return [
        many.scope(\.self, case: ManyCases.c0)?.value, many.scope(\.self, case: ManyCases.c498)?.value,
        many.scope(\.self, case: ManyCases.c499)?.value,
      ]
    }
    #expect(found == [nil, nil, 2])
  }

  @Test func `a mix over a payload and what contains it is refused`() throws {
    route.mix { $0.sheet = .post(Post(id: 1)) }
    let sheet = try #require(route.scope(\.sheet))
    let post = try #require(route.scope(\.sheet, case: Screen.post))
    let inner = try #require(sheet.scope(\.self, case: Screen.post))
    let receipts = [
      Flask.mix(sheet, post) { sheet, post in
        post.text = "lost"
        sheet = .home
      },
      Flask.mix(inner, post) { inner, post in
        inner.text = "a"
        post.text = "b"
      },
    ]
    #expect(receipts.map { "\($0)" } == ["FluxReceipt(aborted)", "FluxReceipt(aborted)"])
    #expect(post.text == "")
    #expect(FaultLog.takeKinds() == [.overlappingAccess, .overlappingAccess])
  }
}
