internal import FlaskPrimitives
internal import FlaskEntities
internal import Foundation

/// A substance as a part of a group of archives.
final class SubstancePart<S: Codable & Sendable>: ArchivePart {
  let key: String
  let cell: Cell
  let substance: @Sendable () -> AnySubstance?
  private let shape: ArchiveShape<ArchivedState<S>>
  private let merges: MergeTable

  init(key: String, shape: ArchiveShape<ArchivedState<S>>, of substance: AnySubstance, merges: MergeTable) {
    self.key = key
    self.merges = merges
    self.shape = shape
    self.substance = substance.reference
    cell = substance.cell
  }

  func content(of state: PinnedState, after known: PartContent?) throws(ArchiveError) -> PartContent {
    try shape.content(of: ArchivedState<S>(state), for: key, after: known)
  }

  func encode(_ state: PinnedState) throws(ArchiveError) -> Data {
    try shape.encode(ArchivedState(state), for: key)
  }

  func state(of content: PartContent) throws(ArchiveError) -> PinnedState { try decode(content).pinned }

  private func decode(_ content: PartContent) throws(ArchiveError) -> ArchivedState<S> {
    if !content.contents.isEmpty {
      let text = try ArchiveFormat.unwrap(content.archive).payload
      if let state = try shape.state(of: StateOutline(text: text, contents: content.contents)) {
        return state
      }
    }
    return try shape.decode(content.whole(), for: key).state
  }

  func perform(_ record: Data, on content: PartContent) -> PartContent? {
    guard let record = try? JournalRecord.content(of: record) else { return nil }
    var changed = content
    if let rest = record.rest { changed = PartContent(shape.wrap(rest, for: key)) }
    for (path, edit, count, elements) in record.edits {
      let known = edit.flatMap {
        content.contents[path]?.changed(by: $0) { Self.exact(.array(elements), as: $0) }
      }
      guard let known, known.count == count else { return nil }
      changed.contents[path] = known
    }
    // The result is returned only if it equals our own encoding of its state. In that encoding, properties unknown to
    // this version are missing.
    guard let state = try? state(of: changed), let own = try? self.content(of: state, after: changed) else {
      return nil
    }
    return own == changed ? changed : nil
  }

  /// Decodes a value as the given type.
  ///
  /// - Returns: the decoded value; `nil` if its encoding would differ from the given value.
  private static func exact<Value: Codable>(_ value: ArchiveValue, as type: Value.Type) -> Any? {
    guard let decoded = try? SubstanceSerializer.state(type, from: value.text),
      let text = try? SubstanceSerializer.data(from: decoded),
      (try? ArchiveValue(text: text, maximumDepth: NestingDepth.limit)) == value
    else { return nil }
    return decoded
  }

  func merge(base: PartContent, mine: PartContent, theirs: PartContent) throws(ArchiveError) -> PartContent {
    guard let merge = merges.closure(for: S.self) else {
      let base = try base.whole()
      let mine = try mine.whole()
      let theirs = try theirs.whole()
      return PartContent(try shape.merge(base: base, mine: mine, theirs: theirs, for: key))
    }
    let states = (try decode(base), try decode(mine), try decode(theirs))
    let merged = ArchivedState<S> { merge(states.0.value, states.1.value, states.2.value) }
    return PartContent(try shape.encode(merged, for: key))
  }
}

/// The merge closures of the client, by type of state. They merge states that were changed here and by another process.
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

/// The deliveries of each group for which an operation of a flux waits. A later delivery of a group replaces the one
/// that waits, so at most one operation of a group waits, however often other processes write.
private final class WaitingArrivals: Sendable {
  private typealias Waiting = (items: [GroupContents.Incoming], delivery: ArchiveDelivery)

  private let waiting = Lock<[ObjectIdentifier: Waiting]>([:])

  /// - Returns: whether an operation must be submitted, since none of the group waits.
  func put(_ items: [GroupContents.Incoming], of delivery: ArchiveDelivery) -> Bool {
    // The replaced states are released after the lock.
    let replaced = waiting.withLock {
      $0.updateValue((items, delivery), forKey: ObjectIdentifier(delivery.group))
    }
    return replaced == nil
  }

  func take(_ group: ObjectIdentifier) -> (items: [GroupContents.Incoming], delivery: ArchiveDelivery)? {
    waiting.withLock { $0.removeValue(forKey: group) }
  }
}

/// Installs states from other processes in their substances: all or none. They are installed only if the substances
/// have not changed since the new states were computed.
enum Arrival {
  /// Submits the incoming states, for each flux separately, since one operation cannot change substances of two fluxes.
  @Sendable
  static func submit(_ delivery: ArchiveDelivery) {
    var items = delivery.items
    while let flux = items.first?.member.part.cell.flux {
      let own = items.filter { $0.member.part.cell.flux === flux }
      items.removeAll { $0.member.part.cell.flux === flux }
      let waiting = flux.attachment { _ in WaitingArrivals() }
      if !waiting.put(own, of: delivery) { continue }
      let operation = FluxOperation(OperationIdentity(.arrival, by: .flask), in: flux) { transaction in
        guard let (items, delivery) = waiting.take(ObjectIdentifier(delivery.group)) else { return .abort }
        return install(items, of: delivery, in: transaction)
      }
      _ = flux.submit(operation, isolation: .none)
    }
  }

  private static func install(
    _ items: [GroupContents.Incoming],
    of delivery: ArchiveDelivery,
    in transaction: FluxTransaction
  ) -> FluxOperation.Ending {
    let living = items.compactMap { item in item.member.part.substance().map { (item, substance: $0) } }
    for (item, substance) in living {
      let present = substance.cell.pinCommitted()
      present.unpin()
      guard present === item.expected.box else {
        delivery.isStale()
        return .abort
      }
    }
    guard delivery.willInstall(living.map(\.0)) else { return .abort }
    transaction.mark = OutsideMark()
    for (item, substance) in living {
      let cell = substance.cell
      _ = cell.layout.copyDifferences(from: item.new.box.address, to: cell.draft)
      transaction.append(cell)
    }
    return .commit
  }
}
