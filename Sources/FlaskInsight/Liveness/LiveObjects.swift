/// A snapshot of the live objects of a flux.
public struct LiveObjects: Sendable {
  /// The kind of an object.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case substance, reactor, observation, derived, effect, work, lock
  }

  /// A live object.
  public struct Entry: Sendable, Identifiable {
    /// The identifier of a live object. Entries of two snapshots describe the same object if their identifiers are
    /// equal.
    public struct ID: Sendable, Hashable {
      let kind: Kind
      let number: UInt64
    }

    /// The identity of the object.
    public let id: ID
    /// The kind of the object.
    public let kind: Kind
    /// The name of the object. A substance has its own name. An observation and a reactor have the names of the
    /// observed substances at the time when they were made, an effect the name of its action, a derived value the name
    /// of its type. Work that lives as long as a piece of state has the name of the substance. A lock has no name.
    public let name: String
    /// The source location where the object was made; `nil` if it is unknown, as for observations.
    public let place: OperationRecord.Place?
    /// The age of the object when it was listed.
    public let age: Duration
    /// The type of the object that owns this object, if known: the owner of a reactor, or the middleware of an effect.
    public let holder: String?
    /// Whether the object is an effect that has not started, because it waits for another effect with its identifier,
    /// or for its delay. So an effect that never ends is listed together with all effects that it blocks.
    public internal(set) var isWaiting = false
  }

  /// The live objects. Objects of one kind are in the order in which they were made.
  public let entries: [Entry]

  /// The live objects of a kind.
  public func entries(_ kind: Kind) -> [Entry] { entries.filter { $0.kind == kind } }

  /// Compares two lists: the objects only in `later`, and the objects only in this list. Complexity: linear.
  public func difference(to later: LiveObjects) -> LiveObjectsDifference {
    let old = Set(entries.map(\.id))
    let new = Set(later.entries.map(\.id))
    return LiveObjectsDifference(
      appeared: later.entries.filter { !old.contains($0.id) },
      gone: entries.filter { !new.contains($0.id) }
    )
  }
}

extension LiveObjects.Entry: CustomStringConvertible {
  /// One line: `reactor over cart of CartView, made at Cart/CartView.swift:12`. The line does not contain the age,
  /// which differs each time.
  public var description: String {
    let what: String =
      switch kind {
      case .substance: "substance \(name)"
      case .reactor: "reactor over \(name)"
      case .observation: "observation of \(name)"
      case .derived: "derived \(name)"
      case .effect: "effect for \(name)"
      case .work: "work on \(name)"
      case .lock: "lock"
      }
    let made = (holder.map { " of \($0)" } ?? "") + (place.map { ", made at \($0)" } ?? "")
    return what + made + (isWaiting ? ", waiting" : "")
  }
}

extension LiveObjects: CustomStringConvertible {
  /// A line for each live object.
  public var description: String {
    entries.isEmpty ? "nothing" : entries.map { "\($0)" }.joined(separator: "\n")
  }
}
