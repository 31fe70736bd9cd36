public import Observation

/// One value of the standard library's observation, told in the cheapest way that it has: a registrar with a single key
/// path, that of the object itself, and without being told after the change. What any model costs at least.
///
/// `@unchecked Sendable`: benchmarks use it on one thread.
public final class BareModel: @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  // Immutable, and made of nothing that is not `Sendable`.
  private let keyPath = \BareModel.self
  private var number = 0

  /// The value 0.
  public init() {}

  /// The value, of which the read is tracked.
  public var value: Int {
    registrar.access(self, keyPath: keyPath)
    return number
  }

  /// Adds 1.
  public func increment() {
    registrar.willSet(self, keyPath: keyPath)
    number &+= 1
  }
}

extension BareModel: Observable {}
