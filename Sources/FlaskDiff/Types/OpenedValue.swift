/// Calls `body` with the address and the record of the value inside an existential.
///
/// The address is good for the duration of the call.
func withOpened<Result>(
  _ value: Any,
  way: LayoutWay,
  _ body: (UnsafeRawPointer, TypeRecord) -> Result
) -> Result {
  func open<Value>(_ value: Value) -> Result {
    withUnsafePointer(to: value) { body(UnsafeRawPointer($0), TypeRecord.of(Value.self, way: way)) }
  }
  return _openExistential(value, do: open)
}

/// Whether two values are of one dynamic type and the same.
func areEqualAny(_ a: Any, _ b: Any, way: LayoutWay, depth: Int) -> Bool {
  guard Swift.type(of: a) == Swift.type(of: b) else { return false }
  return withOpened(a, way: way) { aPointer, aRecord in
    withOpened(b, way: way) { bPointer, bRecord in
      aRecord === bRecord && aRecord.areEqual(aPointer, bPointer, depth: depth)
    }
  }
}
