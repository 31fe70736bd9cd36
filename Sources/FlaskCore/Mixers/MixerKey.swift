/// Identifies a global mixer: the enum it belongs to and the name of its case. Two enums with equal case names are
/// different mixers. Types are immortal, so their identifiers are never reused.
struct MixerKey: Hashable, Sendable {
  private let type: ObjectIdentifier
  let name: String

  init<M: RawRepresentable>(_ mixer: M) where M.RawValue == SubstanceMixer {
    type = ObjectIdentifier(M.self)
    name = mixer.rawValue
  }
}
