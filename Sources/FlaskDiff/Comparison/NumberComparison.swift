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

extension Comparison {
  /// Compares vectors number by number.
  static func vector<Vector: SIMD>(_ type: Vector.Type) -> Comparison {
    let number = TypeRecord.of(Vector.Scalar.self)
    return ComparisonByClosure { a, b, depth in
      let a = a.assumingMemoryBound(to: Vector.self).pointee
      let b = b.assumingMemoryBound(to: Vector.self).pointee
      return a.indices.allSatisfy { index in
        withUnsafePointer(to: a[index]) { a in
          withUnsafePointer(to: b[index]) { b in number.areEqual(a, b, depth: depth + 1) }
        }
      }
    }
  }
}
