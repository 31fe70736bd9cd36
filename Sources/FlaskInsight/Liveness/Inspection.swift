/// Registers objects that are made while it is retained, so that `Flux.inspect()` can list them.
///
/// ```swift
/// let inspection = Inspection()
/// let before = flux.inspect()
/// openScreen(); closeScreen()
/// print(before.difference(to: flux.inspect()))   // what the screen left behind
/// ```
/// Objects made before are not listed, except for the locks that are held. While an inspection is retained, making and
/// releasing a substance, a reactor, an observation, a derived value or an effect takes a lock and a dictionary access.
/// A mix costs nothing more, and only the flux of `Inspection(of:)` is retained. While no inspection exists, objects
/// are not registered.
public final class Inspection: Sendable {
  /// The inspected flux; `nil` for all fluxes. It is retained, so that no other flux gets its object identifier.
  private let flux: Flux?

  /// Registers the objects that are made from now on, in every flux.
  public init() {
    flux = nil
    LivenessRegistry.shared.begin(in: nil)
  }

  /// Registers the objects that are made from now on in one flux. The inspection retains the flux.
  public init(of flux: Flux) {
    self.flux = flux
    LivenessRegistry.shared.begin(in: ObjectIdentifier(flux))
  }

  deinit { LivenessRegistry.shared.end(in: flux.map { ObjectIdentifier($0) }) }
}

extension Flux {
  /// The live objects of this flux: substances, reactors, observations, derived values and effects that were made while
  /// an `Inspection` was retained, and the locks that are held. This function may be called on any thread, at any time.
  ///
  /// A scope is a value and stores nothing, so it is not listed. Its observers are listed with the name of its
  /// substance. Complexity: O(n log n). The registry is locked only while its entries are copied.
  ///
  /// - Parameter redacting: the types whose names are hidden, in addition to the mark `Redacted`.
  public func inspect(redacting: [Redaction] = []) -> LiveObjects {
    let rules = RedactionRules(redacting)
    let now = OperationSubmission.now
    let living = LivenessRegistry.shared.living(in: ObjectIdentifier(self)).map { object in
      // The conversion always succeeds, since `LiveObjects.Kind` has all cases of `LiveObjectKind`.
      let kind = LiveObjects.Kind(rawValue: object.kind.rawValue) ?? .substance
      return LiveObjects.Entry(
        id: LiveObjects.Entry.ID(kind: kind, number: UInt64(object.number)),
        kind: kind,
        name: object.type.map { rules.name(of: $0) } ?? object.name,
        place: OperationRecord.Place(object.place),
        age: .nanoseconds(now &- min(now, object.born)),
        holder: object.holder.map { rules.name(of: $0) },
        isWaiting: object.isWaiting
      )
    }
    let locks = locks.map { lock in
      LiveObjects.Entry(
        id: LiveObjects.Entry.ID(kind: .lock, number: lock.taken),
        kind: .lock,
        name: "",
        place: OperationRecord.Place(fileID: lock.fileID, line: lock.line),
        age: .nanoseconds(now &- min(now, lock.taken)),
        holder: nil
      )
    }
    return LiveObjects(
      entries: LiveObjects.Kind.allCases.flatMap { kind in (living + locks).filter { $0.kind == kind } }
    )
  }
}
