/// Compares numbers by value, where NaN equals itself.
final class FloatingPointComparison<Number: BinaryFloatingPoint>: Comparison, @unchecked Sendable {
  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let a = a.assumingMemoryBound(to: Number.self).pointee
    let b = b.assumingMemoryBound(to: Number.self).pointee
    return a == b || (a.isNaN && b.isNaN)
  }
}

extension Comparison {
  static func floatingPoint<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Comparison {
    FloatingPointComparison<Number>()
  }
}
