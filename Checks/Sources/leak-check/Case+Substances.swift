import Flask
import Observation

extension Case {
  static let substances: [Case] = [
    Case("substances, mixed and dropped") { count in
      let owner = Owner()
      for _ in 0..<count {
        let substance = Flask.newSubstance(definedBy: Item.self, named: "a name that is stored on the heap")
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        reactor.mix(substance, change).react()
        reactor.unbind()
        _ = (substance.name(), substance.keys, substance.state.text)
        substance.name(as: "another name that is stored on the heap")
      }
    },
    Case("substances alive at once") { count in
      for order in Order.allCases {
        order.drain((0..<count).map { _ in Substance<Item>() }) { _ in }
      }
    },
    Case("stores, read and dropped") { count in
      for _ in 0..<count { _ = Store().state.count }
    },
    Case("stores alive at once") { count in
      for order in Order.allCases { order.drain((0..<count).map { _ in Store() }) { _ = $0.state.count } }
    },
    Case("reactive substances of one flux alive at once") { count in
      withOwnFlux {
        for order in Order.allCases {
          order.drain((0..<count).map { _ in Reactive() }) { _ = $0.state.count }
        }
      }
    },
    Case("restore points") { count in
      let owner = Owner()
      for _ in 0..<count {
        let substance = Substance<Item>()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        substance.captureState()
        reactor.mix(substance, change).react()
        substance.captureState()
        reactor.mix(substance, change).react()
        substance.rollbackState()
        if count % 2 == 0 { substance.commitState() }
        reactor.unbind()
      }
    },
    Case("a restore point captured over and over") { count in
      let owner = Owner()
      let substance = Substance<Item>()
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      for _ in 0..<count {
        substance.captureState()
        reactor.mix(substance, change).react()
      }
      substance.rollbackState()
    },
    Case("observation tracking of states", weight: 4) { count in
      let owner = Owner()
      for _ in 0..<count {
        let substance = Substance<Item>()
        let store = Store()
        let told = Counter()
        withObservationTracking {
          _ = (substance.state.count, store.state.count)
        } onChange: {
          told.add()
        }
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        reactor.mix(substance, change).react()
        reactor.unbind()
      }
      // What changed is announced on the main thread.
      await MainActor.run {}
    },
    Case("observation tracking of one state on the main actor") { count in
      await MainActor.run {
        let owner = Owner()
        let substance = Substance<Item>()
        let told = Counter()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        for _ in 0..<count {
          withObservationTracking {
            _ = substance.state.count
          } onChange: {
            told.add()
          }
          reactor.mix(substance, change).react()
        }
      }
    },
    Case("`prop` outside a mix", weight: 20, faults: [.propOutsideMix]) { count in
      for _ in 0..<count {
        let substance = Substance<Item>()
        substance.prop.text += "lost"
        _ = substance.prop.rows
      }
    },
  ]

  static let observers: [Case] = [
    Case("observers by key, key path and case, made and dropped") { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let told = Counter()
        let tokens = [
          substance.observe(key: "count") { _ in told.add() },
          substance.observe(key: "table.one") { _ in told.add() },
          substance.observe(Item.prop.text) { _ in told.add() },
          substance.observe(\.count) { _, _ in told.add() },
          substance.observe(\.info?.notes.count) { _, _ in told.add() },
          substance.observe(anyOf: [\Item.count, \Item.rows]) { _ in told.add() },
        ]
        for token in tokens { token.cancel() }
      }
    },
    Case("substances with observers that live longer than they") { count in
      var tokens: [SubstanceObservation] = []
      for _ in 0..<count {
        let substance = Substance<Item>()
        let told = Counter()
        tokens.append(substance.observe(\.count) { _, _ in told.add() })
      }
      tokens = []
    },
    Case("observers of one key alive at once, then mixed") { count in
      for order in Order.allCases {
        let (owner, substance, told) = (Owner(), Substance<Item>(), Counter())
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let tokens = (0..<count).map { _ in substance.observe(\.count) { _, _ in told.add() } }
        reactor.mix(substance, change).react()
        order.drain(tokens) { $0.cancel() }
        reactor.mix(substance, change).react()
      }
    },
    Case("observers that are cancelled inside their handler") { count in
      let (owner, substance) = (Owner(), Substance<Item>())
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      let tokens = Tokens()
      for _ in 0..<count { tokens.add(substance.observe(\.count) { _, _ in tokens.removeOne() }) }
      reactor.mix(substance, change).react()
      tokens.removeAll()
    },
  ]
}

/// Tokens that handlers let go of.
///
/// `@unchecked Sendable`: used on one thread at a time.
private final class Tokens: @unchecked Sendable {
  private var tokens: [SubstanceObservation] = []

  func add(_ token: SubstanceObservation) { tokens.append(token) }
  func removeOne() { tokens.removeLast() }
  func removeAll() { tokens = [] }
}
