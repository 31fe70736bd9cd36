import FlaskCore
import FlaskInsight

/// A small shop, with everything that an inspector shows: actions, effects, reactions, locks, faults, secrets.
struct Item: Codable, Sendable, Equatable {
  var name: String
  var count: Int
}

struct Cart: FlaskState {
  var items: [Item] = []
  var total = 0
}

struct Card: Redacted, Codable, Sendable, Equatable { var number: String }

struct Session: FlaskState {
  var user = "nobody"
  var isLoading = false
  var note = ""
  var visits = 0
  var card = Card(number: "4111 1111 1111 1111")
}

struct AddItem: FluxAction { let name: String }
struct ItemPriced: FluxAction {
  let name: String
  let price: Int
}
struct Refused: Error {}

final class CartStore: FluxStore<Cart>, @unchecked Sendable {
  init() {
    super.init(initialState: Cart())
    name(as: "cart")
    registerReducer(for: AddItem.self) { state, action in
      if let index = state.items.firstIndex(where: { $0.name == action.name }) {
        state.items[index].count += 1
      } else {
        state.items.append(Item(name: action.name, count: 1))
      }
    }
    registerReducer(for: ItemPriced.self) { state, action in state.total += action.price }
  }
}

final class Prices: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerEffect(for: AddItem.self, policy: .concurrent) { action, dispatch in
      dispatch(ItemPriced(name: action.name, price: action.name.count * 100))
    }
  }
}

/// Sees the cart, and writes into the session.
final class CartView: FlaskReactor, @unchecked Sendable {
  private let session: Substance<Session>
  init(_ session: Substance<Session>) { self.session = session }

  func flaskReactions(reaction: FlaskReaction) {
    let session = session
    reaction.on(\Cart.total) { _ in session.mix { $0.isLoading.toggle() } }
  }
}

/// The shop and who works in it.
final class Shop: Sendable {
  let cart = CartStore()
  let session = Substance(Session(), name: "session")
  private let dispatcher = FluxDispatcher()
  private let view: CartView
  private let token: SubstanceObservation

  init() {
    view = CartView(session)
    token = cart.observe(\.total) { _, _ in }
    Flask.attachReactor(to: view, mixing: cart)
    dispatcher.register(workers: [cart, Prices()])
  }

  /// Sends an action, and does not wait for it.
  func send(_ name: String) { AddItem(name: name).dispatch(with: dispatcher) }

  func add(_ name: String) async {
    await AddItem(name: name).dispatch(with: dispatcher).finished
  }

  /// One of each kind of operation and of outcome.
  func tour() async {
    session.mix { $0.user = "Ada" }
    for name in ["tea", "coffee", "tea", "biscuits"] { await add(name) }
    session.mix { $0.visits += 0 }
    session.mix { _ in throw Refused() }
    session.mix { $0.card.number = "5500 0000 0000 0004" }
    await Flask.withLock { _ = session.mix { $0.visits += 1 } }
    for text in Hostile.texts { session.mix { $0.note = text } }
    session.mix { $0.note = "done" }
    // A misuse, which is a fault.
    Flask.detachReactor(from: CartView(session))
  }

  func many(_ count: Int) {
    for index in 0..<count {
      if index % 10 == 0 {
        session.mix { $0.user = "user \(index)" }
      } else {
        session.mix { $0.visits = index }
      }
    }
  }
}

/// Texts that would act if a page took them for markup.
enum Hostile {
  static let texts = [
    "<script>window.acted = 1</script>",
    "<img src=x onerror=\"window.acted = 2\">",
    "</script><script>window.acted = 3</script>",
    "<svg/onload=window.acted=4>",
    "javascript:window.acted=5",
    "\"><iframe srcdoc='<script>parent.acted=6</script>'></iframe>",
    "<!--<script>",
    "]]><style>body{display:none}</style>",
    "{{constructor.constructor('window.acted=7')()}}",
    "\u{2028}window.acted=8\u{2029}",
    "<meta http-equiv=refresh content='0;url=javascript:acted=9'>",
    "\u{202E}txet desrever",
  ]
}
