/// Notes what is made while it is held, so that `Flux.inspect()` can list it.
///
/// ```swift
/// let inspection = Inspection()
/// let before = flux.inspect()
/// openScreen(); closeScreen()
/// print(before.difference(to: flux.inspect()))   // what the screen left behind
/// ```
/// What was made before is not listed, but for the locks that are held. While one is held, making and releasing a
/// substance, a reactor, an observation, a derived value or an effect takes a lock and a dictionary; a mix costs
/// nothing more, and nothing is kept alive but the flux of `Inspection(of:)`. While none is held, nothing is noted.
public final class Inspection: Sendable {
  /// Held, so that its identity stays its own.
  private let flux: Flux?

  /// Notes what is made from here on, in every flux.
  public init() {
    flux = nil
    LivenessRegistry.shared.begin(in: nil)
  }

  /// Notes what is made from here on in one flux, which this holds.
  public init(of flux: Flux) {
    self.flux = flux
    LivenessRegistry.shared.begin(in: ObjectIdentifier(flux))
  }

  deinit { LivenessRegistry.shared.end(in: flux.map { ObjectIdentifier($0) }) }
}

/// What lives in a flux at a moment.
public struct Census: Sendable {
  /// What a thing is.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case substance, reactor, observation, derived, effect, lock
  }

  /// Something that lives.
  public struct Entry: Sendable, Identifiable {
    /// Two entries of two moments with the same identifier are the same thing.
    public struct ID: Sendable, Hashable {
      let kind: Kind
      let number: UInt64
    }

    /// Tells it from everything else.
    public let id: ID
    /// What it is.
    public let kind: Kind
    /// What it is called: a substance by its name, an observation and a reactor by what they observe (under the name
    /// that it had when they were made), an effect by its action, a derived value by its type, a lock not at all.
    public let name: String
    /// Where it was made, if that is known: of observations it is not.
    public let place: OperationRecord.Place?
    /// How old it was at the moment of the census.
    public let age: Duration
    /// The type of whoever holds it, if that is known: the owner of a reactor, the middleware of an effect.
    public let holder: String?
    /// Whether it is an effect that has not begun: it waits for another one of its identifier, or for its pace. So one
    /// that never ends is listed beside all those that it blocks.
    public internal(set) var isWaiting = false
  }

  /// What lives, each kind in the order in which it was made.
  public let entries: [Entry]

  /// Those of a kind.
  public func entries(_ kind: Kind) -> [Entry] { entries.filter { $0.kind == kind } }

  /// What is there in `later` and was not there now, and the other way round. Complexity: linear.
  public func difference(to later: Census) -> CensusDifference {
    let (old, new) = (Set(entries.map(\.id)), Set(later.entries.map(\.id)))
    return CensusDifference(
      appeared: later.entries.filter { !old.contains($0.id) },
      gone: entries.filter { !new.contains($0.id) }
    )
  }
}

/// What came and went between two moments.
public struct CensusDifference: Sendable {
  /// What lives now and did not before.
  public let appeared: [Census.Entry]
  /// What lived before and does not now.
  public let gone: [Census.Entry]

  /// Whether nothing came and nothing went.
  public var isEmpty: Bool { appeared.isEmpty && gone.isEmpty }
}

extension Flux {
  /// What lives in this flux: substances, reactors, observations, derived values and effects, as far as they were made
  /// while an `Inspection` was held, and the locks that are held. From any thread, at any time.
  ///
  /// A scope is a value and stores nothing, so it is not listed; who observes it is, with the name of its substance.
  /// Complexity: O(n log n), under no lock but for a copy.
  ///
  /// - Parameter redacting: the types whose names are kept back, beside those that are marked `Redacted`.
  public func inspect(redacting: [Redaction] = []) -> Census {
    let rules = RedactionRules(redacting)
    let now = OperationSubmission.now
    let living = LivenessRegistry.shared.living(in: ObjectIdentifier(self)).map { object in
      // It has all of their cases.
      let kind = Census.Kind(rawValue: object.kind.rawValue) ?? .substance
      return Census.Entry(
        id: Census.Entry.ID(kind: kind, number: UInt64(object.number)),
        kind: kind,
        name: object.type.map { rules.name(of: $0) } ?? object.name,
        place: OperationRecord.Place(object.place),
        age: .nanoseconds(now &- min(now, object.born)),
        holder: object.holder.map { rules.name(of: $0) },
        isWaiting: object.isWaiting
      )
    }
    let locks = locks.map { lock in
      Census.Entry(
        id: Census.Entry.ID(kind: .lock, number: lock.taken),
        kind: .lock,
        name: "",
        place: OperationRecord.Place(fileID: lock.fileID, line: lock.line),
        age: .nanoseconds(now &- min(now, lock.taken)),
        holder: nil
      )
    }
    return Census(
      entries: Census.Kind.allCases.flatMap { kind in (living + locks).filter { $0.kind == kind } }
    )
  }
}

extension Census.Entry: CustomStringConvertible {
  /// One line: `reactor over cart of CartView, made at Cart/CartView.swift:12`. Without the age, which is another one
  /// each time.
  public var description: String {
    let what: String =
      switch kind {
      case .substance: "substance \(name)"
      case .reactor: "reactor over \(name)"
      case .observation: "observation of \(name)"
      case .derived: "derived \(name)"
      case .effect: "effect for \(name)"
      case .lock: "lock"
      }
    let made = (holder.map { " of \($0)" } ?? "") + (place.map { ", made at \($0)" } ?? "")
    return what + made + (isWaiting ? ", waiting" : "")
  }
}

extension Census: CustomStringConvertible {
  /// A line for each.
  public var description: String {
    entries.isEmpty ? "nothing" : entries.map { "\($0)" }.joined(separator: "\n")
  }
}

extension CensusDifference: CustomStringConvertible {
  /// A line for each, with `+` for what appeared and `-` for what is gone.
  public var description: String {
    isEmpty ? "nothing" : (appeared.map { "+ \($0)" } + gone.map { "- \($0)" }).joined(separator: "\n")
  }
}
