import FlaskInsight
import Foundation

/// A file that is gone with this object, with all that lies beside it.
final class RecordingFile: Sendable {
  let folder: URL
  var url: URL { folder.appending(path: "run.flask") }
  var previous: URL { folder.appending(path: "run.flask.previous") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "flask-recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var data: Data { get throws { try Data(contentsOf: url) } }
  var lines: [String] {
    get throws { try String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init) }
  }
}

struct Cart: Codable, Sendable, Equatable {
  var count = 0
  var items: [String] = []
  var total = Total()
  struct Total: Codable, Sendable, Equatable { var cents = 0 }
}

struct AddItem: FluxAction, Codable {
  var name = ""
  var cents = 0
}

struct Clear: FluxAction {}
struct Refusal: Error {}

enum CartMixers: SubstanceMixer { case Rename, Refuse }

/// A flux with a store, a reactive substance, and a plain one that follows the store.
final class Shop: Sendable {
  let flux: Flux
  let cart: FluxStore<Cart>
  let title: ReactiveSubstance<Cart, AnyMixer>
  let echo: Substance<Cart>
  private let token: SubstanceObservation

  init(flux: Flux = Flux()) {
    self.flux = flux
    (cart, title, echo) = Flux.$current.withValue(flux) {
      (
        FluxStore(initialState: Cart(), name: "cart"),
        ReactiveSubstance(Cart(), name: "title") { on in
          on(CartMixers.Rename) { state, payload in
            state.items = [payload?["name"] as? String ?? ""]
            state.count += payload?["by"] as? Int ?? 0
          }
          on(CartMixers.Refuse) { _, _ in throw Refusal() }
        }, Substance(Cart(), name: "echo")
      )
    }
    cart.registerReducer(for: AddItem.self) { state, action in
      state.items.append(action.name)
      state.total.cents += action.cents
      state.count += 1
    }
    cart.registerReducer(for: Clear.self) { state, _ in state = Cart() }
    token = cart.observe(\.count) { [echo] _, new in echo.mix { $0.count = new } }
    flux.dispatcher.register(workers: [cart])
  }

  deinit { flux.dispatcher.unregisterAll() }

  var substances: [AnySubstance] { [cart, title, echo] }

  func add(_ name: String, cents: Int = 1) {
    AddItem(name: name, cents: cents).dispatch(with: flux.dispatcher)
  }

  func rename(_ name: String, by number: Int = 0) {
    Flux.$current.withValue(flux) {
      Flask.substances(reactTo: CartMixers.Rename, payload: ["name": name, "by": number])
    }
  }

  func refuse() { Flux.$current.withValue(flux) { Flask.substances(reactTo: CartMixers.Refuse) } }
}
