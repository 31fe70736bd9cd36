internal import FlaskPrimitives
internal import Foundation

/// A substance as a part of a group of archives.
final class SubstancePart<S: Codable & Sendable>: ArchivePart {
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

  func encode(_ state: PinnedState) throws(ArchiveError) -> Data {
    try shape.encode(ArchivedState(state), for: key)
  }

  func decode(_ bytes: Data) throws(ArchiveError) -> PinnedState {
    try shape.decode(bytes, for: key).state.pinned
  }

  func merge(base: Data, mine: Data, theirs: Data) throws(ArchiveError) -> Data {
    guard let merge = merges.closure(for: S.self) else {
      return try shape.merge(base: base, mine: mine, theirs: theirs, for: key)
    }
    let states = (
      try shape.decode(base, for: key).state, try shape.decode(mine, for: key).state,
      try shape.decode(theirs, for: key).state
    )
    let merged = ArchivedState<S> { merge(states.0.value, states.1.value, states.2.value) }
    return try shape.encode(merged, for: key)
  }
}

/// How states that have been changed here and elsewhere become one, by their type.
final class MergeTable: Sendable {
  typealias Merge<S> = @Sendable (_ base: S, _ mine: S, _ theirs: S) -> S

  private struct Entry<S>: Sendable {
    let merge: Merge<S>
  }

  private let entries = Lock<[ObjectIdentifier: any Sendable]>([:])

  func set<S>(_ merge: @escaping Merge<S>) {
    entries.withLockReleasing { $0.updateValue(Entry(merge: merge), forKey: ObjectIdentifier(S.self)) }
  }

  func closure<S>(for type: S.Type) -> Merge<S>? {
    (entries.withLock { $0[ObjectIdentifier(type)] } as? Entry<S>)?.merge
  }
}

/// States from elsewhere become those of their substances, all or none, if these have not changed since the new ones
/// were worked out.
enum Arrival {
  /// Submits what has come, for each flux by itself: no operation changes substances of two.
  @Sendable
  static func submit(_ delivery: ArchiveDelivery) {
    var items = delivery.items
    while let flux = items.first?.member.part.participant.flux {
      let own = items.filter { $0.member.part.participant.flux === flux }
      items.removeAll { $0.member.part.participant.flux === flux }
      let operation = FluxOperation(OperationIdentity(.arrival), in: flux) { transaction in
        install(own, of: delivery, in: transaction)
      }
      _ = flux.submit(operation, isolation: .none)
    }
  }

  private static func install(
    _ items: [GroupContents.Arriving],
    of delivery: ArchiveDelivery,
    in transaction: FluxTransaction
  ) -> FluxOperation.Ending {
    // Held until all have been told.
    let living = items.compactMap { item in item.member.part.substance().map { (item, substance: $0) } }
    for (item, substance) in living {
      let present = substance.participant.pinCommitted()
      present.unpin()
      guard present === item.expected.box else {
        delivery.isStale()
        return .abort
      }
    }
    guard delivery.willInstall(living.map(\.0)) else { return .abort }
    transaction.mark = OutsideMark()
    for (item, substance) in living {
      let participant = substance.participant
      _ = participant.layout.copyDifferences(from: item.new.box.address, to: participant.draft)
      transaction.append(participant)
    }
    return .commitHolding(living.map(\.substance))
  }
}
