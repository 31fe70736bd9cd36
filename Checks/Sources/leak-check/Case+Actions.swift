import Flask

extension Case {
  static let actions: [Case] = [
    Case("dispatchers with workers, used and dropped") { count in
      for _ in 0..<count {
        let dispatcher = FluxDispatcher()
        let inner = FluxDispatcher()
        inner.register(workers: [Worker(), Store()])
        dispatcher.register(workers: [inner, Store(), Reactive(), Worker()], priority: 1)
        dispatcher.dispatch(Done(step: Step()))
        Done(step: Step()).dispatch(with: dispatcher)
      }
    },
    Case("workers of one dispatcher alive at once", weight: 1000) { count in
      for order in Order.allCases {
        let dispatcher = FluxDispatcher()
        let workers = (0..<count).map { _ in Worker() }
        dispatcher.register(workers: workers)
        dispatcher.dispatch(Step())
        order.drain(workers) { dispatcher.unregister(workers: [$0]) }
      }
    },
    Case("workers of one dispatcher, dropped with it", weight: 1000) { count in
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: (0..<count).map { _ in Worker() })
      dispatcher.dispatch(Step())
    },
    Case("actions that several stores and substances answer") { count in
      withOwnFlux {
        let (dispatcher, reactive) = (Flux.current.dispatcher, Reactive())
        dispatcher.register(workers: [Store(), Store(), reactive])
        for _ in 0..<count { Flask.dispatch(Step()) }
        dispatcher.unregisterAll()
      }
    },
    Case("actions on the main thread from elsewhere", weight: 4) { count in
      await withOwnFlux {
        let dispatcher = Flux.current.dispatcher
        dispatcher.register(workers: [Store()])
        let receipts = (0..<count).map { _ in Step().dispatch() }
        for receipt in receipts { await receipt.finished }
        dispatcher.unregisterAll()
      }
    },
    Case("actions that wait behind a lock") { count in
      await withOwnFlux {
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [Store(), Reactive()])
        let lock = Flask.lock()
        let receipts = (0..<count).map { _ in dispatcher.dispatch(Step()) }
        lock.release()
        for receipt in receipts { await receipt.finished }
      }
    },
    Case(
      "the misuses of dispatchers",
      faults: [
        .workerRegisteredTwice, .dispatcherInItself, .answerRegisteredTwice, .workerOfDifferentFlux,
        .actionWithoutAnswer,
      ]
    ) { count in
      for _ in 0..<count {
        let (dispatcher, store) = (FluxDispatcher(), Store())
        dispatcher.register(workers: [store, store, dispatcher])
        store.registerReducer(for: Step.self) { state, _ in state.count = 0 }
        withOwnFlux { dispatcher.register(workers: [Store()]) }
        let nobody: FluxDispatcher? = nil
        Step().dispatch(with: nobody)
      }
    },
  ]

  static let effects: [Case] =
    FluxEffectPolicy.allCases.map { policy in
      Case("effects, \(policy)", weight: 8) { count in
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [Middleware(policy: policy), Store()])
        let receipts = (0..<count).map { _ in dispatcher.dispatch(Step()) }
        for receipt in receipts { await receipt.finished }
      }
    } + [
      Case("effects that throw", weight: 8) { count in
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [Middleware(isThrowing: true)])
        for _ in 0..<count { await dispatcher.dispatch(Step()).finished }
      },
      Case("effects that wait for a pause and are cancelled", weight: 8) { count in
        let dispatcher = FluxDispatcher()
        let middleware = Middleware(policy: .latest, pace: .debounce(.seconds(3600)), clock: EndlessClock())
        dispatcher.register(workers: [middleware])
        var receipts: [FluxReceipt] = []
        for number in 0..<count {
          receipts.append(dispatcher.dispatch(Step()))
          if number % 2 == 0 {
            middleware.cancelEffects(id: "step")
          } else {
            dispatcher.cancelEffects(id: "step")
          }
        }
        for receipt in receipts { await receipt.finished }
      },
      Case("effects that wait for the end of a span", weight: 8) { count in
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [Middleware(policy: .queue, pace: .throttle(.milliseconds(1)))])
        let receipts = (0..<count).map { _ in dispatcher.dispatch(Step()) }
        for receipt in receipts { await receipt.finished }
      },
      Case("middleware that goes while effects run", weight: 8) { count in
        for _ in 0..<count {
          let dispatcher = FluxDispatcher()
          dispatcher.register(workers: [Middleware(policy: .queue), Store()])
          let receipts = [dispatcher.dispatch(Step()), dispatcher.dispatch(Step())]
          dispatcher.unregisterAll()
          for receipt in receipts { await receipt.finished }
        }
      },
      Case("identifiers of effects", weight: 8) { count in
        for number in 0..<count {
          let middleware = FluxMiddleware()
          middleware.registerEffect(for: Step.self, id: "an identifier on the heap, \(number)") { _, _ in }
          middleware.registerEffect(for: Step.self) { _, _ in }
          let dispatcher = FluxDispatcher()
          dispatcher.register(workers: [middleware])
          let receipt = dispatcher.dispatch(Step())
          dispatcher.cancelEffects(id: "an identifier on the heap, \(number)")
          await receipt.finished
        }
      },
    ]
}
