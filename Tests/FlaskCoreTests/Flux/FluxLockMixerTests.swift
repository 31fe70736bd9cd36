import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct FluxLockMixerTests {
  private let clerk = Clerk()
  private let owner = Owner()
  private let log = Recorder<String>()

  private func listen(releasing: Bool = false) {
    Flask.reactor(attachedTo: owner, mixing: [clerk]) { [log] _, reaction in
      log.append(reaction.onLock == nil ? "open" : "locked")
      if releasing { reaction.onLock?.release() }
    }
  }

  @Test func `the mixer is performed, and its reaction carries the lock`() {
    listen()
    let lock = Flask.lock(withMixer: ClerkMixers.add, payload: ["by": 5])
    #expect(clerk.state.counter == 5)
    #expect(log.all == ["locked"])
    #expect(lock.isHeld)
    #expect(Flux.current.locks == [lock])
    lock.release()
  }

  @Test func `another operation's reaction carries no lock`() {
    listen(releasing: true)
    Flask.lock(withMixer: ClerkMixers.add)
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(log.all == ["locked", "open"])
  }

  @Test func `the reaction releases the lock, and the flux continues`() {
    listen(releasing: true)
    let lock = Flask.lock(withMixer: ClerkMixers.add)
    #expect(!lock.isHeld)
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(clerk.state.counter == 2)
  }

  @Test func `the mixer is performed although other locks are held, and before what waits`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: [clerk])
    let lock = Flask.lock()
    reactor.mix(clerk) { $0.prop.counter *= 10 }.react()
    let second = Flask.lock(withMixer: ClerkMixers.add)
    #expect(clerk.state.counter == 1)
    lock.release()
    #expect(clerk.state.counter == 1)
    second.release()
    #expect(clerk.state.counter == 10)
  }

  @Test func `inside an operation the mixer waits for its end, and goes first then`() {
    let clerk = clerk
    let reactor = Flask.reactor(attachedTo: owner, mixing: [clerk])
    let locks = Recorder<FluxLock>()
    reactor.mix(clerk) {
      reactor.mix(clerk) { $0.prop.counter *= 10 }.react()
      locks.append(Flask.lock(withMixer: ClerkMixers.add))
      $0.prop.counter = 3
    }.react()
    #expect(clerk.state.counter == 4)
    locks.all[0].release()
    #expect(clerk.state.counter == 40)
  }

  @Test func `without autorelease a mixer that changes nothing keeps the lock`() {
    for mixer in [ClerkMixers.note, .quit, .fail] {
      for lock in [Flask.lock(withMixer: mixer), Flux.current.lock(withMixer: mixer)] {
        #expect(lock.isHeld)
        lock.release()
      }
    }
    #expect(FaultLog.takeKinds() == [.errorDropped, .errorDropped])
  }

  @Test(arguments: [ClerkMixers.note, .quit, .fail])
  func `an autoreleasing lock goes when its mixer changes nothing, aborts or fails`(mixer: ClerkMixers) {
    let lock = Flask.lock(withMixer: mixer, autorelease: true)
    #expect(!lock.isHeld)
    #expect(Flux.current.locks == [])
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(clerk.state.counter == 1)
    #expect(FaultLog.takeKinds() == (mixer == .fail ? [.errorDropped] : []))
  }

  @Test func `an autoreleasing lock goes when no one defines its mixer`() {
    let lock = Flask.lock(withMixer: CallerMixers.call, autorelease: true)
    #expect(!lock.isHeld)
  }

  @Test func `an autoreleasing lock stays when its mixer changes something`() {
    let lock = Flask.lock(withMixer: ClerkMixers.add, autorelease: true)
    #expect(lock.isHeld)
    lock.release()
  }

  @Test func `a mixer that no one defines is a fault unless autoreleasing`() {
    let lock = Flask.lock(withMixer: CallerMixers.call)
    #expect(FaultLog.takeKinds() == [.lockWithoutListener])
    #expect(lock.isHeld)
    lock.release()
  }

  @Test func `a purge drops waiting mixers and releases the locks that came with them`() {
    let clerk = clerk
    let reactor = Flask.reactor(attachedTo: owner, mixing: [clerk])
    let locks = Recorder<FluxLock>()
    reactor.mix(clerk) { _ in
      locks.append(Flask.lock(withMixer: ClerkMixers.add))
      locks.append(Flask.lock())
      Flask.purgeFluxQueue()
    }.react()
    #expect(clerk.state.counter == 0)
    #expect(locks.all.map(\.isHeld) == [false, true])
    locks.all[1].release()
  }

  @Test func `a lock released while its mixer waits does not stop the mixer`() {
    let clerk = clerk
    let reactor = Flask.reactor(attachedTo: owner, mixing: [clerk])
    reactor.mix(clerk) { _ in
      Flask.lock(withMixer: ClerkMixers.add).release()
    }.react()
    #expect(clerk.state.counter == 1)
    #expect(Flux.current.locks == [])
  }
}
