import Flask

extension Case {
  static let reactors: [Case] = [
    Case("owners attached and dropped") { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let owner = Owner()
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        reactor.mix(substance) { $0.prop.count += 1 }.react()
      }
      ReactorManager.purge()
    },
    Case("owners detached") { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let owner = Owner()
        Flask.attachReactor(to: owner, mixing: [substance])
        Flask.getReactor(attachedTo: owner).mix(substance) { $0.prop.count += 1 }.react()
        Flask.detachReactor(from: owner)
      }
    },
    Case("owners of one substance alive at once, then mixed") { count in
      let substance = Substance<Item>()
      for order in Order.allCases {
        let owners = (0..<count).map { _ in Owner() }
        for owner in owners { Flask.attachReactor(to: owner, mixing: substance) }
        Flask.getReactor(attachedTo: owners[0]).mix(substance) { $0.prop.count += 1 }.react()
        order.drain(owners) { _ in }
        let last = Owner()
        Flask.attachReactor(to: last, mixing: substance).mix(substance) { $0.prop.count += 1 }.react()
      }
      ReactorManager.purge()
    },
    Case("owners alive at once, then detached") { count in
      let substance = Substance<Item>()
      for order in Order.allCases {
        let owners = (0..<count).map { _ in Owner() }
        for owner in owners { Flask.attachReactor(to: owner, mixing: substance) }
        order.drain(owners) { Flask.detachReactor(from: $0) }
      }
    },
    Case("reactors of one owner alive at once, then unbound") { count in
      let (owner, substance) = (Owner(), Substance<Item>())
      for order in Order.allCases {
        let reactors = (0..<count).map { _ in
          Flask.reactor(attachedTo: owner, mixing: substance) { owner, reaction in owner.heard.add() }
        }
        reactors[0].mix(substance) { $0.prop.count += 1 }.react()
        order.drain(reactors) { $0.unbind() }
        substance.name(as: "mixed")
      }
      Flask.detachReactor(from: owner)
    },
    Case("reactors of one owner, bound, unbound and bound again") { count in
      let (owner, substance) = (Owner(), Substance<Item>())
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance) { owner, reaction in
        owner.heard.add()
      }
      for _ in 0..<count {
        reactor.unbind()
        reactor.bind()
        reactor.mix(substance) { $0.prop.count += 1 }.react()
      }
    },
    Case("handlers set over and over") { count in
      let (owner, substance) = (Owner(), Substance<Item>())
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      for _ in 0..<count {
        reactor.handler = { owner, reaction in owner.heard.add() }
        let handler = reactor.handler
        reactor.handler = handler
        reactor.mix(substance) { $0.prop.count += 1 }.react()
        reactor.handler = nil
      }
    },
    Case("reactors over several substances that go first") { count in
      let owner = Owner()
      for _ in 0..<count {
        let substances = (0..<3).map { _ in Substance<Item>() }
        let reactor = Flask.reactor(attachedTo: owner, mixing: substances) { owner, reaction in
          reaction.at(substances[0])?.on(Item.prop.count) { _ in owner.heard.add() }
        }
        reactor.mix(substances[0], change).with(substances[1], change).react()
        reactor.handler = nil
        reactor.unbind()
      }
    },
    Case("main-actor owners, mixed on the main actor") { count in
      await MainActor.run {
        let substance = Substance<Item>()
        for _ in 0..<count {
          let owner = MainOwner()
          Flask.attachReactor(to: owner, mixing: substance)
          Flask.getReactor(attachedTo: owner).mix(substance) { $0.prop.count += 1 }.react()
        }
        ReactorManager.purge()
      }
    },
    Case("actors attached and dropped", weight: 4) { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let owner = ActorOwner()
        Flask.attachReactor(to: owner, mixing: substance)
        await owner.attach(to: substance)
      }
      withOwnFlux {
        let (owner, other) = (Owner(), Substance<Item>())
        Flask.reactor(attachedTo: owner, mixing: other).mix(other, change).react()
      }
      ReactorManager.purge()
    },
    Case(
      "the misuses of reactors",
      faults: [.noReactor, .nothingToDetach, .reactorReplaced, .reactorWithoutSubstances]
    ) {
      count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let owner = Owner()
        _ = Flask.getReactor(attachedTo: owner).substanceNames
        Flask.detachReactor(from: owner)
        Flask.attachReactor(to: owner, mixing: [])
        Flask.attachReactor(to: owner, mixing: substance)
      }
      ReactorManager.purge()
    },
  ]

  static let reactions: [Case] = [
    Case("chains of one, two and five, reacted, aborted and failed", faults: [.errorDropped]) { count in
      let (owner, substances) = (Owner(), (0..<5).map { _ in Substance<Item>() })
      let reactor = Flask.reactor(attachedTo: owner, mixing: substances)
      for _ in 0..<count {
        reactor.mix(substances[0], change).react()
        reactor.mixing(substances[0], change).andAbort()
        reactor.mix(substances[0], change).with(substances[1], change).andReact()
        reactor.mix(substances[0], change).and(substances[1]) { _ in throw Failure(step: Step()) }.react()
        reactor.mix(substances[0], change).mix(substances[1], change).mixing(substances[2], change)
          .with(substances[3], change).and(substances[4], change).react()
      }
    },
    Case("chains that are refused or never resolved", faults: [.chainNotResolved, .substanceNotOfReactor]) {
      count in
      let (owner, substance, other) = (Owner(), Substance<Item>(), Substance<Item>())
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      for _ in 0..<count {
        _ = reactor.mix(substance, change)
        reactor.mix(other, change).mix(substance, change).react()
        reactor.mix(substance, change).mix(other, change).react()
      }
    },
    Case("reactions, changes and receipts that are kept") { count in
      let (owner, substance, kept) = (Owner(), Substance<Item>(), Kept())
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance) { owner, reaction in
        kept.reactions.append(reaction)
        reaction.on(Item.prop.text) { kept.changes.append($0) }
        reaction.on("table.key 1") { kept.changes.append($0) }
        reaction.on(\Item.info?.notes) { kept.typed.append($0) }
      }
      for _ in 0..<count { kept.receipts.append(reactor.mix(substance, change).react()) }
      for reaction in kept.reactions { _ = reaction.keys.count }
      for change in kept.changes { _ = (change.oldValue() as Any?, change.newValue() as Any?) }
      for change in kept.typed { _ = (change.old, change.new) }
      for receipt in kept.receipts { _ = await receipt.outcome }
      kept.drop()
    },
    Case("reactions that wait for the main actor", weight: 4, faults: [.backlog]) { count in
      let substance = Substance<Item>()
      let owner = MainOwner()
      await MainActor.run { _ = Flask.attachReactor(to: owner, mixing: substance) }
      let reactor = Flask.getReactor(attachedTo: owner)
      for _ in 0..<count { reactor.mix(substance, change).react() }
      while await owner.heard < count { await Task.yield() }
    },
    Case("reactions that wait for the main actor, and are dropped", weight: 4, faults: [.backlog]) { count in
      await MainActor.run {
        let (substance, owner) = (Substance<Item>(), MainOwner())
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        performElsewhere { for _ in 0..<count { reactor.mix(substance, change).react() } }
        Flask.detachReactor(from: owner)
      }
    },
    Case("reactions that wait for an actor", weight: 4, faults: [.backlog]) { count in
      let substance = Substance<Item>()
      let owner = ActorOwner()
      await owner.attach(to: substance)
      let reactor = Flask.getReactor(attachedTo: owner)
      for _ in 0..<count { reactor.mix(substance, change).react() }
      while await owner.heard < count { await Task.yield() }
    },
    Case("actors that are dropped while reactions wait", weight: 8) { count in
      for _ in 0..<count {
        let (mixer, substance, owner) = (Owner(), Substance<Item>(), ActorOwner())
        await owner.attach(to: substance)
        Flask.reactor(attachedTo: mixer, mixing: substance).mix(substance, change).react()
      }
      // The actors go when their deliveries have ended.
      while ReactorManager.reactors.contains(where: { $0 is Reactor<ActorOwner> }) { await Task.yield() }
      ReactorManager.purge()
    },
  ]
}

/// What handlers keep.
///
/// `@unchecked Sendable`: used on one thread at a time.
private final class Kept: @unchecked Sendable {
  var reactions: [FlaskReaction] = []
  var changes: [SubstanceChange] = []
  var typed: [TypedChange<Item, [String]?>] = []
  var receipts: [FluxReceipt] = []

  func drop() {
    reactions = []
    changes = []
    typed = []
    receipts = []
  }
}
