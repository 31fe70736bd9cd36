import FlaskActions
import FlaskTesting
import Testing

private struct Orders: Sendable { var count = 0 }
private struct Checkout: FluxAction {}
private struct Refresh: FluxAction {}

private final class OrderStore: FluxStore<Orders>, @unchecked Sendable {
  init() {
    super.init(initialState: Orders(), name: "orders")
    registerReducer(for: Checkout.self) { state, _ in state.count += 1 }
    registerReducer(for: Refresh.self) { _, _ in }
  }
}

private final class BasketStore: FluxStore<Cart>, @unchecked Sendable {
  init() {
    super.init(initialState: Cart(), name: "basket")
    registerReducer(for: Add.self) { state, action in state.items.append(Cart.Item(title: action.title)) }
    registerReducer(for: Checkout.self) { state, _ in state.items = [] }
    registerReducer(for: Refresh.self) { _, _ in }
  }
}

/// The forms that `docs/testing.md` shows.
@Suite struct DocumentationTests {
  @Test func `steps of one, two, three and four states`() async {
    await withTestFlux { test in
      let (cart, orders) = (BasketStore(), OrderStore())
      let (one, two) = (Substance(Counter(), name: "one"), Substance(Counter(), name: "two"))
      test.dispatcher.register(workers: [cart, orders])
      await test.send(Add(title: "tea"), changing: cart) { $0.items = [Cart.Item(title: "tea")] }
      await test.send(Checkout(), changing: cart, orders) { cart, orders in
        cart.items = []
        orders.count = 1
      }
      await test.send(Refresh())
      test.mix(one) { $0.count += 1 }
      await test.expect(changing: orders, one, two) {
        $0.0.count = 2
        $0.1.count = 2
        $0.2.count = 1
      } by: {
        one.mix { $0.count = 2 }
        two.mix { $0.count = 1 }
        Flask.dispatch(Checkout())
      }
      await test.expect(changing: cart, orders, one, two) {
        $0.0.items = []
        $0.0.total = 0
        ($0.1.count, $0.2.count, $0.3.count) = (3, 3, 2)
        $0.0.items = [Cart.Item(title: "milk")]
      } by: {
        Flask.dispatch(Checkout())
        Flask.dispatch(Add(title: "milk"))
        await Task.yield()
        one.mix { $0.count = 3 }
        two.mix { $0.count = 2 }
      }
    }
  }

  @Test func `an effect's action can be picked by what it holds`() async {
    await withTestFlux { test in
      let results = ResultStore()
      let search = SearchMiddleware(results) { text in [text] }
      test.dispatcher.register(workers: [results, search])
      await test.send(Search(text: "a"), changing: results) { ($0.text, $0.isLoading) = ("a", true) }
      await test.advance(by: .milliseconds(300))
      await test.receive(Found.self, where: { $0.items == ["a"] }, changing: results) {
        ($0.items, $0.isLoading) = (["a"], false)
      }
      await test.send(Retry(), changing: results) { $0.isLoading = true }
      await test.settle()
      #expect(results.state.isLoading == false)
    }
  }

  @Test func `an action that is dispatched on the main thread is performed at once`() async {
    await withTestFlux { test in
      let orders = OrderStore()
      test.dispatcher.register(workers: [orders])
      await test.expect(changing: orders) {
        $0.count = 1
      } by: {
        Checkout().dispatch()
      }
    }
  }
}
