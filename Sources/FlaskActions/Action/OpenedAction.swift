/// Returns the dynamic type of an action. Must be fast, since every worker calls it. The type inside the `any` is the
/// dynamic type, except for objects. Only for objects the slow `type(of:)` is needed, which finds a subclass.
@inline(__always)
func typeIdentifier<Opened: FluxAction>(of action: Opened) -> ObjectIdentifier {
  let isNoObject = MemoryLayout<Opened>.size != MemoryLayout<AnyObject>.size || _isPOD(Opened.self)
  return isNoObject ? ObjectIdentifier(Opened.self) : ObjectIdentifier(type(of: action))
}

/// Calls `body` with an action if the action has the type `A`. In most cases this only compares two types, while a cast
/// would search for conversions.
@inline(__always)
func withAction<Opened: FluxAction, A: FluxAction>(
  _ action: Opened,
  as type: A.Type,
  _ body: (A) throws -> Void
) rethrows {
  if Opened.self == A.self {
    try withUnsafePointer(to: action) { action in
      try body(UnsafeRawPointer(action).assumingMemoryBound(to: A.self).pointee)
    }
  } else {
    try withCastAction(action, as: A.self, body)
  }
}

/// Calls `body` if a cast to `A` succeeds, since an object of a subclass may be passed as an object of its superclass.
/// For any other action nothing happens. The cast is in a separate function: a function that contains a cast always
/// asks the runtime for the type of the optional.
@inline(never)
private func withCastAction<Opened: FluxAction, A: FluxAction>(
  _ opened: Opened,
  as type: A.Type,
  _ body: (A) throws -> Void
) rethrows {
  if let action = opened as? A { try body(action) }
}
