internal import FlaskPrimitives

/// Retains every reactor for as long as its owner lives.
///
/// The deallocation of an owner cannot be observed from outside. It is noticed at the next occasion: the next reaction
/// for the owner, a read of `reactors`, or `purge()`. In addition, each new reactor checks three owners in turn, so
/// that the reactors of dead owners never outnumber the others. An owner is checked only on the isolation that its
/// reactor was attached from: the check retains it briefly, and elsewhere could release it on the wrong thread.
public enum ReactorManager {
  private static let table = Lock(ReactorTable())

  /// The reactors of living owners, as far as this thread can determine. Complexity: linear in their number.
  public static var reactors: [AnyReactor] {
    purge()
    return table.withLock { $0.all }
  }

  /// Unbinds and releases the reactors whose owner was deallocated. Owners of reactors that were attached on the main
  /// actor or inside another actor are checked there: at once, if this is the main actor, else soon. Complexity: linear
  /// in the number of reactors.
  public static func purge() {
    let all = table.withLock { $0.all }
    release(all.filter(isOver))
    if all.contains(where: { $0.ownerIsolation.isMain }) && !MainThread.isCurrent {
      Task { @MainActor in
        release(table.withLock { $0.all }.filter { $0.ownerIsolation.isMain && $0.anyOwner == nil })
      }
    }
  }

  /// Unbinds and releases every reactor, also those of living owners.
  public static func purgeAll() { release(table.withLock { $0.all }) }

  /// Whether a reactor will never be notified again, since its actor or its owner was deallocated. An owner is checked
  /// only on its own isolation; elsewhere the result is `false` although the owner may be deallocated.
  private static func isOver(_ reactor: AnyReactor) -> Bool {
    reactor.ownerIsolation.isGone
      || (reactor.ownerIsolation.isCurrent(callerIsolation: .none) && reactor.anyOwner == nil)
  }

  /// Adds a reactor of a living owner. Releases the reactors of a deallocated owner that had the same address, and so
  /// the same identifier.
  static func add(_ reactor: AnyReactor, of owner: AnyObject) {
    let (former, idle, candidates) = table.withLock { table in
      let former = table.takeFormer(of: reactor.ownerIdentifier) { $0.anyOwner == nil }
      let idle = table.add(reactor)
      return (former, idle, [table.next(), table.next(), table.next()])
    }
    release(former)
    withExtendedLifetime(idle) {}
    for case let candidate? in candidates where isOver(candidate) {
      let all = table.withLock { $0.reactors(of: candidate.ownerIdentifier) }
      release(all.filter(candidate.ownerIsolation.isGone ? isOver : { $0.anyOwner == nil }))
    }
  }

  /// The reactors of an owner, oldest first.
  static func reactors(of owner: AnyObject) -> [AnyReactor] {
    table.withLock { $0.reactors(of: ObjectIdentifier(owner)) }
  }

  /// Returns the reactor that `attachReactor` made for a living owner; otherwise the last reactor of this owner.
  static func reactor(of owner: AnyObject) -> AnyReactor? {
    guard let found = table.withLock({ $0.reactor(of: ObjectIdentifier(owner)) }) else { return nil }
    // A reactor without a living owner belonged to a former object at the same address, so it is not returned.
    return found.anyOwner == nil ? nil : found
  }

  /// Unbinds and releases those reactors of an owner for which the condition `isMeant` is true.
  static func release(ownedBy owner: ObjectIdentifier, where isMeant: (AnyReactor) -> Bool) {
    release(table.withLock { $0.reactors(of: owner) }.filter(isMeant))
  }

  static func release(_ reactors: [AnyReactor]) {
    for reactor in reactors {
      reactor.unbind()
      table.withLock { $0.remove(reactor) }
    }
  }
}

/// The reactors of the process, by owner. Retains the reactors, but not the owners.
///
/// The arrays of the table are changed in place, and returned only as copies.
struct ReactorTable {
  /// The reactors of one owner in the order in which they were made.
  private struct Slot {
    let owner: ObjectIdentifier
    var reactors: [AnyReactor] = []
    var attached: AnyReactor?
    /// The number of reactors of the owner above which unused reactors are searched for.
    var limit = 16
  }

  private var slots: [Slot] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  private var cursor = 0

  /// All reactors.
  var all: [AnyReactor] { slots.flatMap(\.reactors) }

  /// The reactors that were made for the object with the identifier `owner`, oldest first. That object may have been
  /// deallocated.
  func reactors(of owner: ObjectIdentifier) -> [AnyReactor] {
    indices[owner].map { slots[$0].reactors } ?? []
  }

  /// Returns the reactor that `attachReactor` made for the owner; otherwise the last reactor of the owner. Complexity:
  /// O(1).
  func reactor(of owner: ObjectIdentifier) -> AnyReactor? {
    indices[owner].flatMap { slots[$0].attached ?? slots[$0].reactors.last }
  }

  /// Returns the reactors that were made for a deallocated owner with the identifier `owner`. If that owner lives,
  /// returns an empty array.
  func takeFormer(of owner: ObjectIdentifier, isGone: (AnyReactor) -> Bool) -> [AnyReactor] {
    let reactors = reactors(of: owner)
    return reactors.last.map(isGone) ?? false ? reactors : []
  }

  /// Adds a reactor. If its owner has many, searches for reactors that are no longer used, and removes them.
  ///
  /// - Returns: the removed reactors. They are unbound and unreferenced, so they can never be bound again.
  mutating func add(_ reactor: AnyReactor) -> [AnyReactor] {
    let owner = reactor.ownerIdentifier
    let index = indices[owner] ?? slots.count
    if index == slots.count {
      indices[owner] = index
      slots.append(Slot(owner: owner))
    }
    slots[index].reactors.append(reactor)
    if reactor.callsOwner { slots[index].attached = reactor }
    return slots[index].reactors.count > slots[index].limit ? sweep(index) : []
  }

  /// Removes a reactor. Complexity: linear in the number of reactors of its owner.
  mutating func remove(_ reactor: AnyReactor) {
    guard let index = indices[reactor.ownerIdentifier],
      let place = slots[index].reactors.lastIndex(where: { $0 === reactor })
    else { return }
    slots[index].reactors.remove(at: place)
    if slots[index].attached === reactor { slots[index].attached = nil }
    guard slots[index].reactors.isEmpty else { return }
    indices[reactor.ownerIdentifier] = nil
    slots.swapAt(index, slots.count - 1)
    slots.removeLast()
    if index < slots.count { indices[slots[index].owner] = index }
  }

  private mutating func sweep(_ index: Int) -> [AnyReactor] {
    var all: [AnyReactor?] = slots[index].reactors
    slots[index].reactors = []
    var idle: [AnyReactor] = []
    for place in all.indices {
      let isNeeded = place + 1 == all.count || all[place].map { $0.isBound || $0.callsOwner } ?? true
      let isIdle = !isNeeded && isKnownUniquelyReferenced(&all[place])
      guard let reactor = all[place].take() else { continue }
      if isIdle { idle.append(reactor) } else { slots[index].reactors.append(reactor) }
    }
    slots[index].limit = max(16, slots[index].reactors.count * 2)
    return idle
  }

  /// Returns a reactor of the next owner in turn. Each addition of a reactor checks some owners for deallocation in
  /// this way.
  mutating func next() -> AnyReactor? {
    if slots.isEmpty { return nil }
    cursor = (cursor + 1) % slots.count
    return slots[cursor].reactors.last
  }
}
