internal import FlaskPrimitives
internal import Foundation

/// A substance as a part of a group of archives.
final class SubstancePart<S: Codable & Sendable>: PinnablePart {
  let key: String
  let participant: Participant
  let substance: @Sendable () -> AnySubstance?
  private let shape: ArchiveShape<ArchivedState<S>>
  private let merges: MergeTable

  init(key: String, shape: ArchiveShape<ArchivedState<S>>, of substance: AnySubstance, merges: MergeTable) {
    self.key = key
    self.merges = merges
    self.shape = shape
    self.substance = substance.reference
    participant = substance.participant
  }

  func state(pinned box: StateBox) -> any ArchivePartState { ArchivedState<S>(pinned: box) }

  func encode(_ state: any ArchivePartState) throws(ArchiveError) -> Data {
    guard let state = state as? ArchivedState<S> else { throw .notEncodable(reason: "it is of another type") }
    return try shape.encode(state, for: key)
  }

  func decode(_ bytes: Data) throws(ArchiveError) -> any ArchivePartState {
    try shape.decode(bytes, for: key).state
  }

  func box(of state: any ArchivePartState) -> StateBox? { (state as? ArchivedState<S>)?.box }

  func merge(base: Data, mine: Data, theirs: Data) throws(ArchiveError) -> Data {
    guard let merge = merges.closure(for: S.self) else {
      return try shape.merge(base: base, mine: mine, theirs: theirs, for: key)
    }
    let states = (
      try shape.decode(base, for: key).state, try shape.decode(mine, for: key).state,
      try shape.decode(theirs, for: key).state
    )
    let merged = ArchivedState<S> {
      merge(states.0.value, states.1.value, states.2.value)
    }
    return try shape.encode(merged, for: key)
  }
}

/// A part whose state can be pinned.
protocol PinnablePart: ArchivePart {
  var participant: Participant { get }
  /// Gives the substance unless it has begun to go: it is saved once more then, and takes nothing in.
  var substance: @Sendable () -> AnySubstance? { get }
  func state(pinned box: StateBox) -> any ArchivePartState
  func box(of state: any ArchivePartState) -> StateBox?
}

extension ArchivedState {
  /// A copy of the state.
  fileprivate var value: S { box.address.assumingMemoryBound(to: S.self).pointee }
}

/// How states that have been changed here and elsewhere become one, by their type.
final class MergeTable: Sendable {
  typealias Merge<S> = @Sendable (_ base: S, _ mine: S, _ theirs: S) -> S

  private struct Entry<S>: Sendable {
    let merge: Merge<S>
  }

  private let entries = Lock<[ObjectIdentifier: any Sendable]>([:])

  func set<S>(_ merge: @escaping Merge<S>) {
    let replaced = entries.withLock { $0.updateValue(Entry(merge: merge), forKey: ObjectIdentifier(S.self)) }
    withExtendedLifetime(replaced) {}
  }

  func closure<S>(for type: S.Type) -> Merge<S>? {
    (entries.withLock { $0[ObjectIdentifier(type)] } as? Entry<S>)?.merge
  }
}

/// States from elsewhere become those of their substances, all or none, if these have not changed since the new ones
/// were worked out.
enum Arrival {
  private typealias Item = (part: any PinnablePart, expected: StateBox, new: StateBox)

  /// Submits what has come, for each flux by itself: no operation changes substances of two.
  @Sendable
  static func submit(_ delivery: ArchiveDelivery) {
    var items: [Item] = delivery.items.compactMap { item in
      guard let part = item.part as? any PinnablePart, let expected = part.box(of: item.expected),
        let new = part.box(of: item.new)
      else { return nil }
      return (part, expected, new)
    }
    while let flux = items.first?.part.participant.flux {
      let own = items.filter { $0.part.participant.flux === flux }
      items.removeAll { $0.part.participant.flux === flux }
      let operation = FluxOperation(OperationIdentity(.arrival), in: flux) { transaction in
        install(own, of: delivery, in: transaction)
      }
      _ = flux.submit(operation, isolation: .none)
    }
  }

  private static func install(
    _ items: [Item],
    of delivery: ArchiveDelivery,
    in transaction: FluxTransaction
  ) -> FluxOperation.Ending {
    // Held until all have been told.
    let living = items.compactMap { item in item.part.substance().map { (item, substance: $0) } }
    for (item, substance) in living {
      let present = substance.participant.pinCommitted()
      present.unpin()
      guard present === item.expected else {
        delivery.isStale()
        return .abort
      }
    }
    guard delivery.willInstall(living.map(\.0.part)) else { return .abort }
    for (item, substance) in living {
      let participant = substance.participant
      _ = participant.layout.copyDifferences(from: item.new.address, to: participant.draft)
      transaction.append(participant)
    }
    return .commitHolding(living.map(\.substance))
  }
}
