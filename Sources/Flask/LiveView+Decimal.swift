public import Foundation

extension LiveView {
  /// The average of a decimal of each element; `nil` if there is no element. Each change costs a pass: see `sum(_:)`.
  public func average(_ number: @escaping @Sendable (_ element: Element) -> Decimal) -> Derived<Decimal?> {
    average(number) { $0 / Decimal($1) }
  }
}
