/// The dynamic type of an action. That is what the `any` says, but for objects, for which only `type(of:)` finds a
/// subclass; which looks for it at length. Every worker asks for it.
@inline(__always)
func typeIdentifier(of action: any FluxAction) -> ObjectIdentifier {
  func open<Opened: FluxAction>(_ opened: Opened) -> ObjectIdentifier {
    let isNoObject = MemoryLayout<Opened>.size != MemoryLayout<AnyObject>.size || _isPOD(Opened.self)
    return isNoObject ? ObjectIdentifier(Opened.self) : ObjectIdentifier(type(of: opened))
  }
  return open(action)
}

/// Calls `body` with an action if it is of that type: mostly a comparison of two types, where a cast would look for
/// conversions.
@inline(__always)
func withAction<A: FluxAction>(_ action: any FluxAction, as type: A.Type, _ body: (A) throws -> Void) rethrows
{
  func open<Opened: FluxAction>(_ opened: Opened) throws {
    if Opened.self == A.self {
      try withUnsafePointer(to: opened) { opened in
        try body(UnsafeRawPointer(opened).assumingMemoryBound(to: A.self).pointee)
      }
    } else {
      try withCastAction(opened, as: A.self, body)
    }
  }
  try open(action)
}

/// An object of a subclass that was handed on as one of its superclass. By itself, since a function that has a cast in
/// it asks the runtime for the type of the optional each time, whether it casts or not.
@inline(never)
private func withCastAction<Opened: FluxAction, A: FluxAction>(
  _ opened: Opened,
  as type: A.Type,
  _ body: (A) throws -> Void
) rethrows {
  if let action = opened as? A { try body(action) }
}
