import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A listener whose handler takes about as long as a writer's pause gives its actor back again and again.
@Suite(.ownFlux) struct BusyListenerTests {
  private actor Desk: FlaskReactorActor {
    let order = Recorder<String>()
    /// Performed by each call of the handler.
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    func flaskReactions(reaction: FlaskReaction) {
      order.append("handler")
      work()
    }

    func note(_ text: String) { order.append(text) }
  }

  @Test func `another task of the actor waits for few handlers`() async {
    let tally = Substance(Tally())
    let mixed = Recorder<Int>()
    let isLast = Recorder<Bool>()
    // Each handler ends when another commit waits.
    let desk = Desk {
      let seen = mixed.count
      spin { mixed.count > seen || isLast.count > 0 }
    }
    Flask.attachReactor(to: desk, mixing: tally)
    let flux = Flux.current
    let writer = Task.detached {
      await OtherThread.run {
        Flux.$current.withValue(flux) {
          for number in 1...400 {
            tally.mix { $0.counter = number }
            mixed.append(number)
            // The handler of the commit before has begun, or it will not.
            spin { desk.order.all.count { $0 == "handler" } >= number - 1 }
          }
          isLast.append(true)
        }
      }
    }
    for number in 0..<20 {
      while desk.order.count < 15 * number { await Task.yield() }
      await desk.note("other \(number)")
    }
    await writer.value
    await soon { desk.order.all.count { $0 == "handler" } == 400 }
    // The longest run of handlers while another task was waiting: each is at most a batch.
    let all = desk.order.all
    #expect(all.count { $0.hasPrefix("other") } == 20)
    #expect(all.count { $0 == "handler" } == 400)
    let last = all.lastIndex { $0.hasPrefix("other") } ?? all.count
    #expect(last < 400)
  }
}
