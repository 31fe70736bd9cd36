import FlaskActions
import FlaskInsight
import Foundation
@testable import KernelFixtures

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

struct Basket: Codable, Sendable, Equatable {
  var count = 0
  var items: [String] = []
  var total = Total()
  struct Total: Codable, Sendable, Equatable { var cents = 0 }
}

struct PutItem: FluxAction, Codable {
  var name = ""
  var cents = 0
}

struct Clear: FluxAction {}
struct Refusal: Error {}

enum CartMixers: SubstanceMixer { case Rename, Refuse }

/// A flux with a store, a reactive substance, and a plain one that follows the store.
final class Market: Sendable {
  let flux: Flux
  let cart: FluxStore<Basket>
  let title: ReactiveSubstance<Basket, AnyMixer>
  let echo: Substance<Basket>
  private let token: SubstanceObservation

  init(flux: Flux = Flux()) {
    self.flux = flux
    flux.expect([.errorDropped])
    (cart, title, echo) = Flux.$current.withValue(flux) {
      (
        FluxStore(initialState: Basket(), name: "cart"),
        ReactiveSubstance(Basket(), name: "title") { on in
          on(CartMixers.Rename) { state, payload in
            state.items = [payload?["name"] as? String ?? ""]
            state.count += payload?["by"] as? Int ?? 0
          }
          on(CartMixers.Refuse) { _, _ in throw Refusal() }
        }, Substance(Basket(), name: "echo")
      )
    }
    cart.registerReducer(for: PutItem.self) { state, action in
      state.items.append(action.name)
      state.total.cents += action.cents
      state.count += 1
    }
    cart.registerReducer(for: Clear.self) { state, _ in state = Basket() }
    token = cart.observe(\.count) { [echo] _, new in echo.mix { $0.count = new } }
    flux.dispatcher.register(workers: [cart])
  }

  deinit { flux.dispatcher.unregisterAll() }

  var substances: [AnySubstance] { [cart, title, echo] }

  func add(_ name: String, cents: Int = 1) {
    PutItem(name: name, cents: cents).dispatch(with: flux.dispatcher)
  }

  func rename(_ name: String, by number: Int = 0) {
    Flux.$current.withValue(flux) {
      Flask.substances(reactTo: CartMixers.Rename, payload: ["name": name, "by": number])
    }
  }

  func refuse() { Flux.$current.withValue(flux) { Flask.substances(reactTo: CartMixers.Refuse) } }
}
