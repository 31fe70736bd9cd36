import FlaskPrimitives
import FlaskActions
import FlaskInsight
import Foundation
import Synchronization
import TestSupport
@testable import KernelFixtures

/// A small app, the random programs that run on it, and the states that it has been through.
struct Ledger: Codable, Sendable, Equatable {
  var count = 0
  var note: String?
  var items: [Int] = []
  var scores: [String: Int] = [:]
  var inner = Inner()
  struct Inner: Codable, Sendable, Equatable { var depth = 0.5 }
}

struct Deposit: FluxAction, Codable { var amount = 0 }
struct Fetch: FluxAction, Codable { var from = 0 }
struct Loaded: FluxAction, Codable { var value = 0 }
struct Declined: FluxAction, Codable {}
/// An action of which a recording has the type alone.
struct Reset: FluxAction {}

enum LedgerMixers: SubstanceMixer { case Tag, Drop, Refuse }

private final class Loader: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerEffect(for: Fetch.self, policy: .concurrent) { action, dispatch in
      dispatch(Loaded(value: action.from * 2))
    }
    registerHandler(for: Deposit.self) { action in
      if action.amount % 5 == 0 { Loaded(value: action.amount).dispatch(with: Flux.current.dispatcher) }
    }
  }
}

final class RandomApp: Sendable {
  let flux: Flux
  let store: FluxStore<Ledger>
  let tags: ReactiveSubstance<Ledger, AnyMixer>
  let plain: Substance<Ledger>
  private let tokens: [SubstanceObservation]

  /// - Parameter interest: what a deposit adds beyond its amount.
  init(in flux: Flux, interest: Int = 0) {
    self.flux = flux
    flux.expect([.errorDropped])
    let (store, tags, plain) = Flux.$current.withValue(flux) {
      (
        FluxStore(initialState: Ledger(), name: "store"),
        ReactiveSubstance(Ledger(), name: "tags") { on in
          on(LedgerMixers.Tag) { state, payload in
            let number = payload?["number"] as? Int ?? 0
            state.items.insert(number, at: state.items.count / 2)
            state.note = payload?["note"] as? String
          }
          on(LedgerMixers.Drop) { state, _ in
            if !state.items.isEmpty { state.items.removeFirst() }
            state.scores = state.scores.filter { $0.value % 2 == 0 }
          }
          on(LedgerMixers.Refuse) { state, _ in
            state.count = -1
            throw Refusal()
          }
        }, Substance(Ledger(), name: "plain")
      )
    }
    (self.store, self.tags, self.plain) = (store, tags, plain)
    store.registerReducer(for: Deposit.self) { state, action in
      state.count += action.amount + (action.amount > 90 ? interest : 0)
      state.scores["d\(action.amount % 4)", default: 0] += 1
    }
    store.registerReducer(for: Loaded.self) { state, action in state.items.append(action.value) }
    store.registerReducer(for: Declined.self) { state, _ in
      state.count = 0
      throw Refusal()
    }
    store.registerReducer(for: Reset.self) { state, _ in state.items = [] }
    tokens = [
      store.observe(\.count) { _, new in plain.mix { $0.inner.depth = Double(new) / 3 } },
      tags.observe(\.items) { _, new in if new.count > 3 { plain.mix { $0.count = new.count } } },
    ]
    flux.dispatcher.register(workers: [store, Loader()])
  }

  deinit { flux.dispatcher.unregisterAll() }

  var substances: [AnySubstance] { [store, tags, plain] }
  var states: [Ledger] { [store.state, tags.state, plain.state] }

  /// One random step, and what to wait for.
  func step(_ generator: inout SeededGenerator) -> FluxReceipt? {
    let number = Int.random(in: 0..<100, using: &generator)
    return Flux.$current.withValue(flux) {
      switch Int.random(in: 0..<14, using: &generator) {
      case 0: plain.mix { $0.scores["k\(number % 5)"] = number < 40 ? nil : number }
      case 1: plain.mix { $0.note = number < 50 ? nil : "é\(number)\n\"" }
      case 2:
        Flask.mix(plain, tags) { plain, tags in
          plain.count += number
          tags.scores["t\(number % 3)"] = number
        }
      case 3:
        plain.mix {
          $0.count = 1_000_000
          throw Refusal()
        }
      case 4, 5: return Deposit(amount: number).dispatch(with: flux.dispatcher)
      case 6: return Fetch(from: number).dispatch(with: flux.dispatcher)
      case 7: return Declined().dispatch(with: flux.dispatcher)
      case 8: return Reset().dispatch(with: flux.dispatcher)
      case 9, 10:
        Flask.substances(reactTo: LedgerMixers.Tag, payload: ["number": number, "note": "n\(number)"])
      case 11: Flask.substances(reactTo: LedgerMixers.Drop)
      case 12: Flask.substances(reactTo: LedgerMixers.Refuse)
      default:
        let lock = flux.lock()
        tags.mix { $0.inner.depth += 1 }
        let receipt = Deposit(amount: number).dispatch(with: flux.dispatcher)
        lock.release()
        return receipt
      }
      return nil
    }
  }

  /// Runs a program, and returns when everything that it set going has ended.
  func run(seed: UInt64, threads: Int, steps: Int) async {
    await withTaskGroup { group in
      for thread in 0..<threads {
        group.addTask {
          var generator = SeededGenerator(seed: seed &* 8 &+ UInt64(thread))
          var receipts: [FluxReceipt] = []
          for _ in 0..<steps { if let receipt = self.step(&generator) { receipts.append(receipt) } }
          for receipt in receipts { await receipt.finished }
        }
      }
    }
    // What reactions have submitted comes before the second of them.
    for _ in 0..<3 { _ = await flux.performInFluxQueue {}.outcome }
  }
}

/// The states of a substance, one after each commit, by patches in memory.
final class StateLog: Sendable {
  private let states: Mutex<[Ledger]>
  private let token = Mutex<SubstanceObservation?>(nil)

  init(of substance: TypedSubstance<Ledger>) {
    states = Mutex([substance.state])
    let made = substance.observePatches { [weak self] patch in
      self?.states.withLock { states in
        if let last = states.last, let next = try? patch.applied(to: last) { states.append(next) }
      }
    }
    token.withLock { $0 = made }
  }

  var all: [Ledger] { states.withLock { $0 } }
}
