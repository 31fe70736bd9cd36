@testable import FlaskActions
import Foundation

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

extension Context {
  /// Inside an operation of the flux.
  static let operations: [Context] = [
    Context("a mix") { stage in
      await changed(stage) {
        $0.prop.counter += 10
        stage.call()
      }
    },
    Context("a mix that throws") { stage in
      _ = await stage.mix { _ in
        stage.call()
        throw ProbingError()
      }.outcome
    },
    Context("a write to prop") { stage in
      await changed(stage) { tally in
        tally.prop.counter += 10
        tally.prop.text.withUTF8 { _ in stage.call() }
      }
    },
    Context("a closure in the flux") { stage in
      _ = await stage.flux.performInFluxQueue(isolation: nil) { stage.call() }.outcome
    },
    Context("a reaction") { stage in
      let reactor = Flask.reactor(attachedTo: stage.owner, mixing: stage.tally, isolation: nil)
      reactor.handler = { _, _ in stage.call() }
      await changed(stage) { $0.prop.counter += 10 }
    },
    Context("a reaction on the main actor") { stage in
      let reactor = Flask.reactor(attachedTo: stage.owner, mixing: stage.tally, isolation: nil)
      reactor.handler = { @MainActor _, _ in stage.call() }
      await changed(stage) { $0.prop.counter += 10 }
      await mainActorIsDone { stage.isCalled }
    },
    Context("a reaction performed on the main actor") { stage in
      let reactor = Flask.reactor(attachedTo: stage.owner, mixing: stage.tally, isolation: nil)
      reactor.handler = { @MainActor _, _ in stage.call() }
      await Task { @MainActor in _ = stage.mix { $0.prop.counter += 10 } }.value
    },
    Context("a reaction in an actor") { stage in
      let room = QueueRoom()
      let reactor = Flask.reactor(attachedTo: stage.owner, mixing: stage.tally, isolation: nil)
      reactor.setHandler({ _, _ in stage.call() }, on: HandlerIsolation(room))
      await changed(stage) { $0.prop.counter += 10 }
      await stage.returned.wait()
    },
    Context("an observer") { stage in
      let token = stage.tally.observe(key: "counter", isolation: nil) { _ in stage.call() }
      await changed(stage) { $0.prop.counter += 10 }
      token.cancel()
    },
    Context("an observer of a key path") { stage in
      let token = stage.tally.observe(\.counter, isolation: nil) { _, _ in stage.call() }
      await changed(stage) { $0.prop.counter += 10 }
      token.cancel()
    },
    Context("a mixer") { stage in
      stage.hook.set { stage.call() }
      stage.flux.performInFluxQueue(isolation: nil) {}
      _ = Flask.substances(reactTo: CallerMixers.call, isolation: nil)
      stage.hook.set(nil)
    },
    Context("a mixer in a lane of its own") { stage in
      stage.hook.set { stage.call() }
      let lock = stage.flux.lock(withMixer: CallerMixers.call, isolation: nil)
      lock.release(isolation: nil)
      stage.hook.set(nil)
    },
    Context("a handler of a middleware") { stage in
      stage.hook.set { stage.call() }
      _ = await stage.dispatcher.dispatch(Pong(), isolation: nil).outcome
      stage.hook.set(nil)
    },
    Context("a composer") { stage in
      let middleware = FluxMiddleware()
      middleware.registerComposer(for: Found.self) { _ in
        stage.call()
        return .next(Add())
      }
      stage.dispatcher.register(workers: [middleware], priority: 1)
      let before = stage.store.state.counter
      _ = await stage.dispatcher.dispatch(Found(text: ""), isolation: nil).outcome
      if stage.store.state.counter == before { report("the action was lost") }
    },
    Context("a worker") { stage in
      let worker = ActionLog("", Recorder()) { _ in
        stage.call()
        return .next()
      }
      stage.dispatcher.register(workers: [worker])
      _ = await stage.dispatcher.dispatch(Found(text: ""), isolation: nil).outcome
    },
    Context("a reducer") { stage in
      stage.store.registerReducer(for: Found.self) { state, _ in
        stage.call()
        state.counter += 100
      }
      _ = await stage.dispatcher.dispatch(Found(text: ""), isolation: nil).outcome
      if stage.store.state.counter < 100 { report("the change of the reducer was lost") }
    },
    Context("an effect") { stage in
      let called = Signal()
      stage.middleware.registerEffect(for: Found.self) { _, dispatch in
        stage.call()
        dispatch(Add())
        called.fire()
      }
      stage.dispatcher.dispatch(Found(text: ""), isolation: nil)
      await called.wait()
    },
    Context("a handler of errors") { stage in
      stage.middleware.registerEffect(for: Found.self) { _, _ in throw Oops() }
      stage.middleware.registerErrorHandler { _, _, _ in stage.call() }
      await stage.dispatcher.dispatch(Found(text: ""), isolation: nil).finished
    },
  ]

  /// Mixes, and says if that was lost.
  static func changed(_ stage: Stage, _ body: @escaping @Sendable (Substance<ProbedState>) throws -> Void)
    async
  {
    let before = stage.tally.state.counter
    let outcome = await stage.mix(body).outcome
    if stage.tally.state.counter < before + 10 { report("the mix itself was lost: \(outcome)") }
  }
}
