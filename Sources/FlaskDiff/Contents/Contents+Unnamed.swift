extension Contents {
  /// Returns the comparison of floating-point numbers: by value, except that NaN equals itself.
  static func floatingPoint<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Contents {
    ComparedByClosure { a, b, _ in
      let a = a.assumingMemoryBound(to: Number.self).pointee
      let b = b.assumingMemoryBound(to: Number.self).pointee
      return a == b || (a.isNaN && b.isNaN)
    }
  }

  /// Vectors are compared number by number.
  static func vector<Vector: SIMD>(_ type: Vector.Type) -> Contents {
    let number = TypeRecord.of(Vector.Scalar.self)
    return ComparedByClosure { a, b, depth in
      let a = a.assumingMemoryBound(to: Vector.self).pointee
      let b = b.assumingMemoryBound(to: Vector.self).pointee
      return a.indices.allSatisfy { index in
        withUnsafePointer(to: a[index]) { a in
          withUnsafePointer(to: b[index]) { b in number.areEqual(a, b, depth: depth + 1) }
        }
      }
    }
  }

  /// Returns the comparison of objects: by identity, and by `==` if their class is `Equatable`. The contents of an
  /// object are never inspected.
  static func object<Value>(_ type: Value.Type) -> Contents {
    ComparedByClosure { a, b, _ in
      areEqualObjects(
        a.assumingMemoryBound(to: Value.self).pointee as Any,
        b.assumingMemoryBound(to: Value.self).pointee as Any
      )
    }
  }
}
