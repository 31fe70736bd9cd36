// The program of docs/guides/tutorial.md, as it stands there.

import FlaskActions
import FlaskTesting

struct Item: Codable, Sendable, Identifiable {
  var id: Int
  var title: String
  var price: Int?  // in cents; nil until it is known
}

struct Shopping: FlaskState {
  var items: [Item] = []
}

struct PriceFound: FluxAction {
  let id: Int
  let price: Int
}

func makeList() -> ReactiveSubstance<Shopping, AnyMixer> {
  ReactiveSubstance(Shopping(), name: "shopping", archive: true) { on in
    on(PriceFound.self) { state, found in
      for index in state.items.indices where state.items[index].id == found.id {
        state.items[index].price = found.price
      }
    }
  }
}

struct AskPrice: FluxAction { let item: Item }

final class PriceList: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerEffect(for: AskPrice.self, id: { $0.item.id }, policy: .latest) { action, dispatch in
      let price = try await askTheShop(action.item.title)
      dispatch(PriceFound(id: action.item.id, price: price))
    }
  }
}

// Replaces a request to a server.
func askTheShop(_ title: String) async throws -> Int {
  await Task.yield()
  return title.count * 25
}
