/// The payload of a global mixer: named values of client code.
public typealias FluxPayload = [String: any Sendable]

/// Identifies a global mixer, or a type of actions: the enum it belongs to and the name of its case. Two enums with
/// equal case names are different mixers. Types are immortal, so their identifiers are never reused.
package struct MixerKey: Hashable, Sendable {
  let type: ObjectIdentifier
  /// The type, for its name.
  package var metatype: Any.Type { type.type }
  /// The name of the case; empty for a type of actions.
  let name: String

  init<M: RawRepresentable>(_ mixer: M) where M.RawValue == SubstanceMixer {
    type = ObjectIdentifier(M.self)
    name = mixer.rawValue
  }

  /// The key of a type of actions.
  package init(actionType: ObjectIdentifier) {
    type = actionType
    name = ""
  }
}
