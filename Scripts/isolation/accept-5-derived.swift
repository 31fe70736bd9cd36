// Swift 5, no diagnostic
import Flask

struct Line: Codable, Sendable, Identifiable, Equatable {
  var id = 0
  var price = 0
}
struct Cart: State {
  var lines: [Line] = []
  var count = 0
}

@MainActor final class Screen {
  private var heard = 0
  private let total: Derived<Int>
  private let dear: Derived<[Line]>

  init(_ cart: Substance<Cart>) {
    total = Derived { cart.lines.reduce(0) { $0 + $1.price } }
    dear = Derived { cart.lines.filter { $0.price > 10 } }
  }

  func hear(_ cart: Substance<Cart>) -> [SubstanceObservation] {
    let part: Scope<Cart> = cart.scope(\.self)
    return [
      total.observe { _, new in self.heard = new },
      dear.observe(\.count) { old, new in self.heard = new - old },
      dear.observe(elements: \.self) { changes in self.heard = changes.insertions.count },
      part.observe(elements: \.lines) { changes in self.heard = changes.updates.count },
    ]
  }

  func mix(_ a: Substance<Cart>, _ b: Substance<Cart>, _ c: Substance<Cart>, _ d: Substance<Cart>) {
    var amount = 0
    amount += 1
    Flask.mix(a, b, c) { a, b, c in
      a.count += amount
      b.count += self.heard
      c.count += 1
    }
    Flask.mix(a, b, c, d) { a, b, c, d in
      (a.count, b.count) = (amount, amount)
      (c.count, d.count) = (amount, amount)
    }
  }
}
