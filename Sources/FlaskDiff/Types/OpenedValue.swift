/// Calls `body` with the address and the record of the value inside an existential, of its dynamic type.
///
/// The address is good for the duration of the call.
func withOpened<Result>(
  _ value: Any,
  way: LayoutWay,
  _ body: (UnsafeRawPointer, TypeRecord) -> Result
) -> Result {
  func call<Value>(_ value: Value) -> Result {
    withUnsafePointer(to: value) { body(UnsafeRawPointer($0), TypeRecord.of(Value.self, way: way)) }
  }
  // Generic code boxes a value of a protocol type as that type; a cast to the dynamic type gets it out.
  func unwrap<Dynamic>(_ type: Dynamic.Type) -> Result? { (value as? Dynamic).map(call) }
  func open<Value>(_ value: Value) -> Result {
    if TypeKind(of: Value.self) == .existential,
      let result = _openExistential(type(of: value as Any), do: unwrap)
    {
      return result
    }
    return call(value)
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
