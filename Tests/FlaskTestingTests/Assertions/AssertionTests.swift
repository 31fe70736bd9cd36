import FlaskActions
import FlaskTesting
import Testing

struct Add: FluxAction { var title = "" }
struct Pay: FluxAction {}
struct Spoil: FluxAction {}
struct Spoilt: Error {}

final class CartStore: FluxStore<Cart>, @unchecked Sendable {
  init() {
    super.init(initialState: Cart(), name: "cart")
    registerReducer(for: Add.self) { state, action in
      state.items.append(Cart.Item(title: action.title, price: 2))
      state.total += 2
    }
    registerReducer(for: Pay.self) { state, _ in state.isPaid = true }
    registerReducer(for: Spoil.self) { _, _ in throw Spoilt() }
  }
}

@Suite struct AssertionTests {
  private let found = IssueList()

  /// Performs a test and keeps its issues.
  private func test(_ body: (TestFlux, CartStore, Substance<Counter>) async throws -> Void) async rethrows {
    try await withTestFlux(order: .oldestFirst, onIssue: { [found] in found.add($0) }) { test in
      let cart = CartStore()
      test.dispatcher.register(workers: [cart])
      try await body(test, cart, Substance(Counter(), name: "counter"))
    }
  }

  @Test func `what is asserted and happens is no issue`() async {
    await test { test, cart, counter in
      await test.send(Add(title: "tea"), changing: cart) { cart in
        cart.items = [Cart.Item(title: "tea", price: 2)]
        cart.total = 2
      }
      test.mix(counter) { $0.count += 1 }
      await test.expect(changing: cart, counter) { cart, counter in
        cart.isPaid = true
        counter.name = "paid"
      } by: {
        _ = Flask.dispatch(Pay())
        counter.mix { $0.name = "paid" }
      }
    }
    #expect(found.messages == [])
  }

  @Test func `what differs is shown by key in both directions, at the line of the assertion`() async {
    let line: UInt = #line + 2
    await test { test, cart, _ in
      await test.send(Add(title: "tea"), changing: cart) { cart in
        cart.items = [Cart.Item(title: "coffee", price: 2)]
        cart.total = 3
      }
    }
    #expect(
      found.messages == [
        """
        cart is not as the test says (- as it says, + as it is):
          - items[0].title: "coffee"
          + items[0].title: "tea"
          - total: 3
          + total: 2
        """
      ]
    )
    #expect(found.lines == [line])
  }

  @Test func `a list that is longer or shorter shows what it has more or less`() async {
    await test { test, cart, _ in
      await test.send(Add(title: "tea"), changing: cart) { $0.total = 2 }
    }
    #expect(
      found.messages == [
        """
        cart is not as the test says (- as it says, + as it is):
          + items[0]: Item(title: "tea", price: 2)
        """
      ]
    )
  }

  @Test func `what changes and is not asserted is an issue`() async {
    let line: UInt = #line + 2
    await test { test, cart, counter in
      await test.send(Add(title: "tea"))
    }
    #expect(
      found.messages == [
        """
        cart was changed by action Add at FlaskTestingTests/AssertionTests.swift:\(line), and the test does not say so (- before, + now):
          + items[0]: Item(title: "tea", price: 2)
          - total: 0
          + total: 2
        """
      ]
    )
    #expect(found.lines == [line])
  }

  @Test func `what changes between two steps is an issue of the next one, and at the end`() async {
    let line: UInt = #line + 3
    await test { test, cart, counter in
      counter.mix { $0.count = 1 }
      await test.send(Pay(), changing: cart) { $0.isPaid = true }
      counter.mix { $0.count = 2 }
    }
    #expect(
      found.messages == [
        """
        counter was changed by mix at FlaskTestingTests/AssertionTests.swift:\(line - 1), and the test does not say so (- before, + now):
          - count: 0
          + count: 1
        """,
        """
        counter was changed by mix at FlaskTestingTests/AssertionTests.swift:\(line + 1), and the test does not say so (- before, + now):
          - count: 1
          + count: 2
        """,
      ]
    )
    #expect(found.lines.first == line)
  }

  @Test func `what is asserted to change and does not is an issue`() async {
    await test { test, cart, counter in
      await test.send(Pay(), changing: cart, counter) { cart, _ in cart.isPaid = true }
      await test.expect(changing: counter) { _ in
      } by: {
      }
    }
    #expect(found.messages == ["counter was to change, and did not", "counter was to change, and did not"])
  }

  @Test func `a substance that changes and changes back has not changed`() async {
    await test { test, cart, counter in
      await test.send(Pay(), changing: cart) { $0.isPaid = true }
      await test.expect(changing: cart) {
        $0.isPaid = false
      } by: {
        counter.mix { $0.count = 1 }
        counter.mix { $0.count = 0 }
        test.dispatcher.dispatch(Add(title: "x"))
      }
    }
    #expect(
      found.messages == [
        """
        cart is not as the test says (- as it says, + as it is):
          + items[0]: Item(title: "x", price: 2)
          - total: 0
          + total: 2
          - isPaid: false
          + isPaid: true
        """
      ]
    )
  }

  @Test func `with exhaustivity off only what is written has to be there`() async {
    await test { test, cart, counter in
      test.exhaustivity = .off
      counter.mix { $0.count = 1 }
      await test.send(Add(title: "tea"), changing: cart) { $0.total = 2 }
      await test.send(Add(title: "milk"), changing: cart) { $0.total = 5 }
    }
    #expect(
      found.messages == [
        """
        cart is not as the test says (- as it says, + as it is):
          - total: 5
          + total: 4
        """
      ]
    )
  }

  @Test func `an action that is discarded by an error is an issue`() async {
    await test { test, _, _ in await test.send(Spoil()) }
    #expect(found.messages == ["Spoil() was discarded: Spoilt() was thrown"])
  }

  @Test func `an action that is discarded by an error is an issue, however many states it is to change`()
    async
  {
    await test { test, cart, counter in
      await test.send(Spoil(), changing: cart) { _ in }
      await test.send(Spoil(), changing: cart, counter) { _, _ in }
      // As code does that can't suspend.
      func sendNow() {
        test.send(Spoil())
        test.send(Spoil(), changing: cart) { _ in }
        test.send(Spoil(), changing: cart, counter) { _, _ in }
      }
      sendNow()
    }
    let messages = found.messages.filter { $0.contains("discarded") }
    #expect(messages == Array(repeating: "Spoil() was discarded: Spoilt() was thrown", count: 5))
  }

  @Test func `a fault is an issue at the line that caused it`() async {
    let line: UInt = #line + 1
    await test { test, _, counter in counter.rollbackState() }
    #expect(
      found.messages == [
        "Flask fault (nothingCaptured): counter has no captured state to roll back to; call `captureState()` first"
      ]
    )
    #expect(found.lines == [line])
    #expect(found.issues.map(\.place.fileID) == ["FlaskTestingTests/AssertionTests.swift"])
    #expect(found.issues.map(\.place.filePath) == [#filePath])
  }

  @Test func `a lock that is held is an issue at the line that took it`() async {
    let line: UInt = #line + 2
    await test { test, _, counter in
      let lock = Flask.lock()
      await test.send(Add(title: "tea"))
      #expect(lock.isHeld)
    }
    #expect(
      found.messages == [
        "the lock taken at FlaskTestingTests/AssertionTests.swift:\(line) is held at the end of the test"
      ]
    )
    #expect(found.lines == [line])
  }

  @Test func `an error of the test is thrown, and hides what else is left`() async {
    await #expect(throws: Spoilt.self) {
      try await test { test, _, counter in
        counter.mix { $0.count = 1 }
        throw Spoilt()
      }
    }
    #expect(found.messages == [])
  }

  @Test func `a test without waiting is one without await`() {
    withTestFlux { test in
      let cart = CartStore()
      test.dispatcher.register(workers: [cart])
      test.send(Pay(), changing: cart) { $0.isPaid = true }
      let outcome = test.expect(changing: cart) {
        $0.total = 2; $0.items = [Cart.Item(title: "x", price: 2)]
      } by: {
        test.dispatcher.dispatch(Add(title: "x")).outcomeIfKnown
      }
      #expect(outcome?.description == "committed(items, total)")
      #expect(Flux.current === test.flux)
    }
  }
}
