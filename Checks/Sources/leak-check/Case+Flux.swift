import Flask
import Foundation

/// Performs `body` on another thread, and waits for it.
func performElsewhere(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    body()
    done.signal()
  }
  done.wait()
}

extension Case {
  static let fluxes: [Case] = [
    Case("fluxes of one's own, used and dropped") { count in
      for _ in 0..<count {
        withOwnFlux {
          let (owner, substance) = (Owner(), Substance<Item>())
          Flux.current.onFault = { [weak owner] _ in owner?.heard.add() }
          let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
          reactor.mix(substance) { $0.prop.count += 1 }.react()
          _ = reactor.mix(substance) { _ in }
        }
      }
      ReactorManager.purge()
    },
    Case("fluxes alive at once") { count in
      for order in Order.allCases { order.drain((0..<count).map { _ in Flux() }) { _ = $0.waitingCount } }
    },
    Case("fluxes with a dispatcher and a store that go together") { count in
      for _ in 0..<count {
        withOwnFlux {
          let store = Store()
          Flux.current.dispatcher.register(workers: [store, Middleware()])
          Flask.dispatch(Done(step: Step()))
          Flux.current.dispatcher.unregisterAll()
        }
      }
    },
    Case("fluxes dropped while locked, with waiting mixes") { count in
      for _ in 0..<count {
        withOwnFlux {
          let (owner, substance) = (Owner(), Substance<Item>())
          let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
          let lock = Flask.lock()
          reactor.mix(substance, change).react()
          Flask.purgeFluxQueue()
          lock.release()
        }
      }
      ReactorManager.purge()
    },
    Case("locks alive at once") { count in
      withOwnFlux {
        for order in Order.allCases {
          let told = Counter()
          let locks = (0..<count).map { _ in
            let lock = Flask.lock()
            lock.onRelease = { _ in told.add() }
            return lock
          }
          order.drain(locks) { $0.release("a context that is too long to be stored inline") }
        }
      }
    },
    Case("locks alive at once, all removed") { count in
      withOwnFlux {
        for _ in 0..<count { _ = Flask.lock() }
        Flask.removeLocks()
      }
    },
    Case("locks with a timeout, released before it", weight: 4) { count in
      withOwnFlux {
        for _ in 0..<count { Flask.lock(timeout: .seconds(3600)).release() }
      }
      // Cancelled timers end on threads of their own.
      for _ in 0..<100 { await Task.yield() }
    },
    Case("locks with a timeout that comes", weight: 20, faults: [.lockTimedOut]) { count in
      await withOwnFlux {
        let locks = (0..<count).map { _ in Flask.lock(timeout: .zero) }
        for lock in locks { while lock.isHeld { await Task.yield() } }
      }
    },
    Case("locks of a task", weight: 4) { count in
      await withOwnFlux {
        for _ in 0..<count {
          try? await Flask.withLock(timeout: .seconds(3600), clock: EndlessClock()) {
            await Task.yield()
            throw Failure(step: Step())
          }
        }
      }
    },
    Case("mixes that wait behind a lock, performed") { count in
      await withOwnFlux {
        let (owner, substance) = (Owner(), Substance<Item>())
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let lock = Flask.lock()
        let receipts = (0..<count).map { _ in reactor.mix(substance, change).react() }
        lock.release()
        for receipt in receipts { _ = await receipt.outcome }
      }
    },
    Case("mixes that wait behind a lock, purged") { count in
      withOwnFlux {
        let (owner, substance) = (Owner(), Substance<Item>())
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let lock = Flask.lock()
        for _ in 0..<count { reactor.mix(substance, change).with(substance, change).react() }
        Flask.purgeFluxQueue()
        lock.release()
      }
    },
    Case("mixes from inside mixes, reactions and closures") { count in
      await withOwnFlux {
        let (owner, substance) = (Owner(), Substance<Item>())
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        for _ in 0..<count {
          let receipt = Flask.performInFluxQueue {
            reactor.mix(substance) { substance in
              change(substance)
              reactor.mix(substance, change).react()
            }.react()
          }
          _ = await receipt.outcome
        }
        while Flux.current.waitingCount > 0 { await Task.yield() }
      }
    },
    Case("fault handlers set over and over") { count in
      let flux = Flux()
      for _ in 0..<count {
        let told = Counter()
        flux.onFault = { _ in told.add() }
        let handler = flux.onFault
        flux.onFault = handler
      }
      flux.onFault = nil
    },
  ]

  static let mixers: [Case] = [
    Case("global mixers, applied, aborted and failed", faults: [.errorDropped]) { count in
      withOwnFlux {
        let reactive = [Reactive(), Reactive()]
        for _ in 0..<count {
          Flask.substances(
            reactTo: Signal.step,
            payload: ["by": 2, "text": "a text on the heap, not inline"]
          )
          Flask.applyMixer(Signal.stop)
          Flask.applyMixer(Signal.fail)
        }
        withExtendedLifetime(reactive) {}
      }
    },
    Case("reactive substances, made, mixed and dropped") { count in
      withOwnFlux {
        for _ in 0..<count {
          let reactive = Reactive(name: "a name that is stored on the heap")
          Flask.applyMixer(Signal.step)
          withExtendedLifetime(reactive) {}
        }
      }
    },
    Case("locks with a mixer, released by the reaction or by themselves", faults: [.errorDropped]) { count in
      withOwnFlux {
        let (owner, reactive) = (Owner(), Reactive())
        let reactor = Flask.reactor(attachedTo: owner, mixing: reactive) { owner, reaction in
          reaction.onLock?.release()
        }
        for _ in 0..<count {
          Flask.lock(withMixer: Signal.step)
          Flask.lock(withMixer: Signal.stop, autorelease: true)
          Flask.lock(withMixer: Signal.fail, autorelease: true)
        }
        reactor.unbind()
      }
    },
  ]
}
