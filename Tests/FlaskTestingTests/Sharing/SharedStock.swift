import FlaskActions
import FlaskCore
import FlaskEntities
import FlaskSharing
import FlaskTesting
import TestSupport

/// States and a process that shares them.
enum SharedStock {
  struct Item: Codable, Identifiable, Sendable, Equatable {
    var id: String
    var count = 0
    var tags: Set<String> = []
    var parts: Entities<SharedGroupTests.Entry> = []
    /// Not shared.
    var isOpen = false

    enum CodingKeys: String, CodingKey { case id, count, tags, parts }
  }

  struct Shelf: Codable, Sendable, Equatable {
    var label = ""
    var items: Entities<Item> = []
  }

  struct Stock: FlaskState, Equatable {
    var left = Shelf()
    var right = Shelf()
    var counts: [String: Int] = [:]
    /// Not shared.
    var selection: String?

    enum CodingKeys: String, CodingKey { case left, right, counts }
  }

  struct Total: FlaskState, Equatable {
    var sum = 0
  }

  struct Add: FluxAction {
    var amount: Int
  }

  final class Totals: FluxStore<Total>, @unchecked Sendable {
    init(in group: SharedGroup) {
      super.init(initialState: Total(), name: "total")
      share(in: group)
      registerReducer(for: Add.self) { state, action in
        state.sum += action.amount
        return [\Total.sum]
      }
    }
  }

  final class Process: Sendable {
    let flux = Flux()
    let store: SimulatedStore
    let group: SharedGroup
    let stock: Substance<Stock>
    let totals: Totals
    let faults = Recorder<FlaskFault>()

    init(_ database: SimulatedDatabase) {
      let store = database.connect()
      self.store = store
      let faults = faults
      flux.onFault = { faults.append($0) }
      (group, stock, totals) = Flux.$current.withValue(flux) {
        let group = SharedGroup("stock", in: store)
        return (group, Substance<Stock>(name: "stock", archive: true, in: group), Totals(in: group))
      }
    }
  }
}
