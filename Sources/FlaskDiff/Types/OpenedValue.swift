/// Calls `body` with the address of the value inside an existential, and with the record of the value's dynamic type.
///
/// The address is good for the duration of the call.
func withOpened<Result>(
  _ value: Any,
  _ body: (UnsafeRawPointer, TypeRecord) -> Result
) -> Result {
  func call<Value>(_ value: Value) -> Result {
    withUnsafePointer(to: value) { body(UnsafeRawPointer($0), TypeRecord.of(Value.self)) }
  }
  // The value in the existential may itself be a value of a protocol type, since generic code boxes such values
  // unchanged. The cast unwraps it to its dynamic type.
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

/// Returns a copy of the value at an address. The value has the type `type`, and the caller has borrowed it.
package func copiedValue(of type: Any.Type, at address: UnsafeRawPointer) -> Any {
  func open<Value>(_ type: Value.Type) -> Any { address.assumingMemoryBound(to: Value.self).pointee }
  return _openExistential(type, do: open)
}

/// Whether two values have the same type and are equal. Objects of different types are equal if the `==` of one of
/// their classes returns true.
func areEqualAny(_ a: Any, _ b: Any, depth: Int) -> Bool {
  guard Swift.type(of: a) == Swift.type(of: b) else { return areEqualObjects(a, b) }
  return withOpened(a) { aPointer, aRecord in
    withOpened(b) { bPointer, bRecord in
      // The values have one dynamic type, but different records. This is possible only for classes: one value was boxed
      // as the superclass.
      aRecord === bRecord ? aRecord.areEqual(aPointer, bPointer, depth: depth) : areEqualObjects(a, b)
    }
  }
}

/// Whether two references point to the same object, or the objects are equal by the `==` of one of their classes. False
/// for all other values.
func areEqualObjects(_ a: Any, _ b: Any) -> Bool {
  guard TypeKind(of: Swift.type(of: a)) == .class, TypeKind(of: Swift.type(of: b)) == .class else {
    return false
  }
  if (a as AnyObject) === (b as AnyObject) { return true }
  func compare<Object: Equatable>(_ a: Object, _ b: Any) -> Bool? { (b as? Object).map { a == $0 } }
  // An object is also an instance of its superclass, so the comparison may succeed in only one of the two orders.
  if let object = a as? any Equatable, let answer = compare(object, b) { return answer }
  if let object = b as? any Equatable, let answer = compare(object, a) { return answer }
  return false
}
