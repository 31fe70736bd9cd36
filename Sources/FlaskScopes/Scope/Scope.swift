/// A part of a substance as if it were a whole: read, mixed and observed as a substance is.
///
/// ```swift
/// let profile = app.scope(\.profile)
/// profile.mix { $0.name = "Ada" }
/// print(profile.name, app.profile.name)
/// ```
/// A scope stores nothing, so the part and the whole never disagree. It holds its substance.
@dynamicMemberLookup
public struct Scope<Part: Sendable>: Sendable {
  /// The substance that it is a part of.
  public let substance: AnySubstance
  let part: PartAccess<Part>

  init(_ substance: AnySubstance, _ part: PartAccess<Part>) {
    self.substance = substance
    self.part = part
  }

  /// The part of the last committed state; during a mix that is still the state before it. From any thread, at any
  /// time.
  public var value: Part {
    substance.noteReading(of: part.key)
    let box = substance.participant.pinForReading()
    defer { box.unpin() }
    return part.presentValue(in: UnsafeRawPointer(box.address))
  }

  /// A property of the part: `profile.name`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Part, Value>) -> Value { value[keyPath: keyPath] }

  /// What a key path leads to in the part. Reads properties that have the name of a member of the scope.
  public subscript<Value>(_ keyPath: KeyPath<Part, Value>) -> Value { value[keyPath: keyPath] }
}

extension Scope: Mixable {
  /// The part, for a mix over several.
  public var mixablePart: MixablePart<Part> { MixablePart(substance, part) }
}

extension Scope {
  /// This scope: what a substance and a scope have alike.
  public var mixableScope: Scope<Part> { self }
}

extension Substance {
  /// The whole state as a scope.
  public final var mixableScope: Scope<S> { Scope(self, PartAccess<S>()) }
}

extension Scope: Readable {
  /// The part of the committed state.
  public var readableValue: Part { value }
}
