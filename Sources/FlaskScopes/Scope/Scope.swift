/// A part of a substance as if it were a whole: read, mixed and observed as a substance is.
///
/// ```swift
/// let profile = app.scope(\.profile)
/// profile.mix { $0.name = "Ada" }
/// print(profile.name, app.profile.name)
/// ```
/// A scope stores nothing, so the part and the whole never disagree. It holds its substance, except a scope that is
/// passed to work (`whilePresent`): that one reads the last state after the deallocation of the substance, and mixes
/// nothing.
@dynamicMemberLookup
public struct Scope<Part: Sendable>: Sendable {
  package let reference: SubstanceReference
  let part: PartAccess<Part>

  /// The substance that contains the part. `nil` only in work, after the deallocation of the substance.
  public var substance: AnySubstance? { reference.object }

  /// The cell of the substance.
  package var cell: Cell { reference.cell }

  init(reference: SubstanceReference, part: PartAccess<Part>) {
    self.reference = reference
    self.part = part
  }

  /// A scope of the whole state of a substance or a store.
  package init(of substance: TypedSubstance<Part>) {
    self.init(reference: .retained(substance), part: PartAccess<Part>())
  }

  /// This scope, not retaining its substance.
  package var unretained: Scope { Scope(reference: reference.unretained, part: part) }

  /// The part of the last committed state; during a mix it is the part before the mix. It may be read on any thread at
  /// any time.
  public var value: Part {
    noteReading(part.key, inMember: part.memberKey)
    return untrackedValue
  }

  private var untrackedValue: Part {
    let box = cell.pinForReading()
    defer { box.unpin() }
    return part.presentValue(in: UnsafeRawPointer(box.address))
  }

  /// A property of the part: `profile.name`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Part, Value>) -> Value { self[keyPath] }

  /// The value at a key path of the part. Reads properties that have the name of a member of the scope.
  ///
  /// In a tracked closure (SwiftUI, `withObservationTracking`) the read depends on this property. If the part is a
  /// member of a container, or is nested in one, the read depends on this member alone.
  public subscript<Value>(_ keyPath: KeyPath<Part, Value>) -> Value {
    noteReading(
      PartPlace(of: keyPath, in: part, layout: cell.layout).key,
      inMember: part.memberKey(of: keyPath)
    )
    return untrackedValue[keyPath: keyPath]
  }

  /// Records, for derived values and for Observation, that a value in the part was read.
  ///
  /// - Parameters:
  ///   - key: the key of the state that contains the value.
  ///   - memberKey: the key of the member that contains the part, if a member contains it.
  func noteReading(_ key: @autoclosure () -> Int, inMember memberKey: @autoclosure () -> Int) {
    guard let publisher = substance?.publisherToNote(partOf: part.key) else { return }
    if let member = part.member {
      member.noteReading(of: memberKey(), for: publisher)
    } else {
      publisher.noteAccess(to: key())
    }
  }
}

extension Scope: Mixable {
  /// The part, for a mix over several.
  public var _mixablePart: _MixablePart<Part> { _MixablePart(reference, part) }
}

extension Scope: Readable {}
