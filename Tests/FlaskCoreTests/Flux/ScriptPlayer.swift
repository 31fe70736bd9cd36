@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Plays a script on a real flux, and writes down what happens as the model does.
///
/// `@unchecked Sendable`: used on one thread.
final class ScriptPlayer: @unchecked Sendable {
  private let script: Script
  private let flux = Flux.current
  private let owner = Owner()
  private let log = Recorder<String>()
  private let substances: [Clerk]
  private let reactor: Reactor<Owner>
  private var receipts: [FluxReceipt?] = []
  /// In the order in which they were taken; `nil` while the call that takes one has not returned.
  private var locks: [FluxLock?] = []
  private var captured = [false, false, false]
  private var reactions = 0

  init(_ script: Script) {
    self.script = script
    substances = ["0", "1", "2"].map { [log] in Clerk(log: log, name: $0) }
    reactor = Flask.reactor(attachedTo: owner, mixing: substances)
    reactor.handler = { [unowned self] _, reaction in hear(reaction, reactor: 0) }
    let second = Flask.reactor(attachedTo: owner, mixing: [substances[1], substances[0]])
    second.handler = { [unowned self] _, reaction in hear(reaction, reactor: 1) }
  }

  func run() -> String {
    for action in script.actions { submit(action) }
    for lock in locks { lock?.release() }
    let states = substances.map { "\($0.state.counter) \($0.state._hidden)" }.joined(separator: ", ")
    let outcomes = receipts.map { $0?.outcomeIfKnown?.description ?? "none" }
    let played = (log.all + [states] + outcomes).joined(separator: "\n")
    discardWaiting()
    return played
  }

  /// Ends what the script leaves: locks that a reaction to the last releases has taken, and operations that wait.
  private func discardWaiting() {
    while let lock = flux.locks.first {
      flux.purgeFluxQueue()
      lock.release()
    }
  }

  /// A lock is known to the flux before the call that takes it returns: it is that of the last such call.
  private func learnLocks() {
    for lock in flux.locks where !locks.contains(lock) {
      if let place = locks.lastIndex(where: { $0 == nil }) { locks[place] = lock }
    }
  }

  private func hear(_ reaction: FlaskReaction, reactor: Int) {
    learnLocks()
    reaction.on(\Tally.counter) { change in
      let text = reaction.onLock.map { " lock \(locks.firstIndex(of: $0) ?? -1)" } ?? ""
      log.append("\(reactor): \(change.substance().name()) \(change.old) to \(change.new)\(text)")
    }
    reactions += 1
    for action in script.reactions[reactions - 1] ?? [] { submit(action) }
  }

  /// Keeps the place of a receipt that is there only when the call returns, and others were made meanwhile.
  private func keep(_ make: () -> FluxReceipt?) {
    let place = receipts.count
    receipts.append(nil)
    receipts[place] = make()
  }

  private func submit(_ action: Script.Action) {
    learnLocks()
    switch action {
    case .chain(let steps, let isAborted): keep { chain(steps, isAborted) }
    case .mixer(let mixer): keep { Flux.$current.withValue(flux) { Flask.substances(reactTo: mixer) } }
    case .closure(let actions):
      keep {
        flux.performInFluxQueue { [unowned self] in
          log.append("closure")
          for action in actions { submit(action) }
        }
      }
    case .capture(let substance):
      captured[substance] = true
      substances[substance].captureState()
    case .rollBack(let substance): if captured[substance] { keep { substances[substance].rollbackState() } }
    case .lock: locks.append(flux.lock())
    case .lockMixer, .release, .purge: control(action)
    }
  }

  private func control(_ action: Script.Action) {
    switch action {
    case .lockMixer(let mixer, let autorelease):
      let place = locks.count
      locks.append(nil)
      receipts.append(nil)
      locks[place] = flux.lock(withMixer: mixer, autorelease: autorelease)
    case .release(let index): if index < locks.count { locks[locks.count - 1 - index]?.release() }
    case .purge: flux.purgeFluxQueue()
    default: break
    }
  }

  private func chain(_ steps: [Script.Step], _ isAborted: Bool) -> FluxReceipt {
    var chain = reactor.mix(substances[steps[0].substance]) { [unowned self] in try perform(steps[0], $0) }
    for step in steps.dropFirst() {
      chain = chain.with(substances[step.substance]) { [unowned self] in try perform(step, $0) }
    }
    return isAborted ? chain.abort() : chain.react()
  }

  private func perform(_ step: Script.Step, _ substance: Clerk) throws {
    switch step {
    case .add(to: _, let amount): substance.prop.counter += amount
    case .same: substance.prop.counter += 0
    case .hide: substance.prop._hidden += 1
    case .fail: throw Oops()
    case .submit(inside: _, let actions): for action in actions { submit(action) }
    }
  }
}
