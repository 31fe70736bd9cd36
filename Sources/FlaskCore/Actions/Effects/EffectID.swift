/// Names a group of effects inside its dispatcher.
///
/// `@unchecked Sendable`: made of `Sendable` values only, and never changed.
struct EffectID: Hashable, @unchecked Sendable {
  private let value: AnyHashable

  init(_ value: any Hashable & Sendable) { self.value = AnyHashable(value) }
}
