internal import Synchronization

/// The identifier of an effect that was given none.
struct EffectNumber: Hashable, Sendable {
  private static let last = Atomic<Int>(0)
  private let number: Int

  static func next() -> EffectNumber {
    EffectNumber(number: last.add(1, ordering: .relaxed).newValue)
  }
}
