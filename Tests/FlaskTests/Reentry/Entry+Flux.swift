import FlaskPrimitives
@testable import FlaskActions
import FlaskArchive

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

extension Entry {
  /// The entry points of `Flask`, the flux, its locks and receipts.
  static let flux: [Entry] = [
    Entry("Flask.bus") { stage in stage.kept.append(Flask.bus.waitingCount) },
    Entry("Flask.onFault") { _ in Flask.onFault = Flask.onFault },
    Entry("Flask.defaultArchive") { _ in Flask.defaultArchive = Flask.defaultArchive },
    Entry("Flask.flushArchives") { _ in Flask.flushArchives() },
    Entry("Flask.flushArchives async") { stage in stage.begin { await Flask.flushArchives() } },
    Entry("Flask.lock") { _ in Flask.lock().release() },
    Entry("Flask.lock with timeout") { _ in Flask.lock(timeout: .seconds(60)).release() },
    Entry("Flux.lock held") { stage in stage.kept.append(stage.flux.lock()) },
    Entry("Flux.lock withMixer") { stage in stage.flux.lock(withMixer: ClerkMixers.add, autorelease: true) },
    Entry("Flux.lock withMixer held") { stage in
      stage.kept.append(stage.flux.lock(withMixer: ClerkMixers.note))
    },
    Entry("Flux.withLock") { stage in
      stage.begin { await stage.flux.withLock { _ = stage.mix { $0.prop.text = "locked" } } }
    },
    Entry("Flux.withLock and outcome") { stage in
      stage.begin {
        await stage.flux.withLock {
          let receipt = stage.mix { $0.prop.text = "locked" }
          _ = await receipt.outcome
          await receipt.finished
        }
      }
    },
    Entry("Flux.locks") { stage in stage.kept.append("\(stage.flux.locks)") },
    Entry("Flux.removeLocks") { stage in stage.flux.removeLocks() },
    Entry("Flask.removeLocks") { _ in Flask.removeLocks() },
    Entry("Flask.performInFluxQueue") { _ in Flask.performInFluxQueue {} },
    Entry("Flux.performInFluxQueue") { stage in
      stage.flux.performInFluxQueue { stage.mix { $0.prop.text = "queued" } }
    },
    Entry("Flux.onFault") { stage in stage.flux.onFault = stage.flux.onFault },
    Entry("Flux()") { stage in
      let flux = Flux()
      flux.performInFluxQueue {}
      Flux.$current.withValue(flux) { stage.kept.append(Substance<Tally>()) }
    },
    Entry("FluxLock.onRelease") { stage in
      let lock = stage.flux.lock()
      lock.onRelease = { _ in stage.mix { $0.prop.text = "released" } }
      stage.kept.append("\(lock) \(lock.isHeld)")
      lock.release("context")
      lock.onRelease = { _ in }
    },
    Entry("FluxReceipt") { stage in
      stage.kept.append("\(stage.receipt) \(String(describing: stage.receipt.outcomeIfKnown))")
      stage.begin { _ = await stage.receipt.outcome }
      stage.begin { await stage.receipt.finished }
    },
    Entry("FluxReceipt of a mix") { stage in
      let receipt = stage.mix { $0.prop.text = "awaited" }
      stage.kept.append("\(receipt)")
      stage.begin { _ = await receipt.outcome }
    },
    Entry("Flask.substances(reactTo:)") { _ in Flask.substances(reactTo: ClerkMixers.add) },
    Entry("Flask.applyMixer") { stage in
      Flux.$current.withValue(stage.flux) { _ = Flask.applyMixer(ClerkMixers.add, payload: ["by": 2]) }
    },
    Entry("Flask.applyMixer that aborts") { stage in
      Flux.$current.withValue(stage.flux) { _ = Flask.applyMixer(ClerkMixers.quit) }
    },
    Entry("Flask.newSubstance") { stage in
      stage.kept.append(Flask.newSubstance(definedBy: Tally.self, named: "new"))
    },
    Entry("ReactorManager") { _ in
      _ = ReactorManager.reactors
      ReactorManager.purge()
    },
    Entry("Flux.purgeFluxQueue") { stage in
      stage.mix { $0.prop.text = "may be purged" }
      stage.flux.purgeFluxQueue()
      Flask.purgeFluxQueue()
    },
    Entry("Flask.purgeFlasks") { _ in Flask.purgeFlasks() },
  ]

  /// The entry points of dispatchers, stores, middleware and effects.
  static let actions: [Entry] = [
    Entry("FluxAction.dispatch on main") { stage in
      Flux.$current.withValue(stage.flux) { _ = Add().dispatch() }
    },
    Entry("FluxAction.dispatch(with:)") { stage in Add().dispatch(with: stage.dispatcher) },
    Entry("Flask.dispatch") { _ in Flask.dispatch(Add()) },
    Entry("dispatch that fails") { stage in stage.dispatcher.dispatch(Fail()) },
    Entry("dispatch and finished") { stage in
      let receipt = stage.dispatcher.dispatch(Rename(text: "x"))
      stage.begin { await receipt.finished }
    },
    Entry("FluxDispatcher()") { stage in
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: [FluxMiddleware()])
      dispatcher.dispatch(Ping())
      stage.kept.append(dispatcher.workers.count)
    },
    Entry("register and unregister") { stage in
      let middleware = FluxMiddleware()
      stage.dispatcher.register(workers: [middleware], priority: 1)
      stage.dispatcher.unregister(workers: [middleware])
    },
    Entry("unregisterAll") { stage in stage.dispatcher.unregisterAll() },
    Entry("cancelEffects") { stage in
      stage.dispatcher.cancelEffects(id: "effect")
      stage.middleware.cancelEffects(id: Probe(3))
    },
    Entry("registerHandler") { stage in stage.middleware.registerHandler(for: Ping.self) { _ in } },
    Entry("registerComposer") { stage in
      stage.middleware.registerComposer(for: Ping.self) { _ in .stop() }
      stage.middleware.registerComposer(for: Ping.self) { _ in .next() }
    },
    Entry("registerErrorHandler") { stage in stage.middleware.registerErrorHandler { _, _, _ in } },
    Entry("registerEffect") { stage in
      stage.middleware.registerEffect(for: Ping.self, id: "effect", policy: .latest) { _, dispatch in
        dispatch(Rename(text: "effect"))
      }
      let receipt = stage.dispatcher.dispatch(Ping())
      stage.begin { await receipt.finished }
    },
    Entry("registerReducer") { stage in stage.store.registerReducer(for: Add.self) { _, _ in } },
    Entry("FluxStore") { stage in
      let store = FluxStore(initialState: ProbedState(), name: "store")
      store.archive(in: stage.backend)
      stage.kept.append(store)
      stage.kept.append(stage.store.state.counter)
    },
  ]
}
