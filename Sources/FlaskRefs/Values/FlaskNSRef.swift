/// A weak pointer to an object, for states that refer to objects which are no state themselves.
///
/// A key of this type changes when the pointer changes, whatever happens inside of the object:
///
/// ```swift
/// struct AppState: State { var screen: FlaskNSRef? }
/// substance.prop.screen = FlaskNSRef(viewController)
/// ```
///
/// The object is not kept alive. It is not archived either: a reference is encoded as `{}` and comes back empty. `==`
/// compares the identities of the objects; references whose objects were deallocated are empty, and so equal.
public final class FlaskNSRef: Equatable, Codable, @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Invariant: the weak reference is constant, the runtime loads it atomically, and only the reference is read here.
  //   Client code is responsible for using the object on the right thread, as with any reference to it.
  // - If violated: a data race in client code.

  /// The object; `nil` if it was deallocated, or if the reference was made without an object.
  ///
  /// Any thread may read it. Whether the object itself may be used on the thread depends on its class.
  public weak let object: AnyObject?

  /// Points to an object without keeping it alive.
  public init(_ object: AnyObject?) { self.object = object }

  /// Decodes an empty reference, whatever was encoded.
  public init(from decoder: any Decoder) throws { object = nil }

  /// Encodes an empty value.
  public func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: NoKeys.self)
  }

  /// Whether both references point to the same object, or both are empty.
  public static func == (a: FlaskNSRef, b: FlaskNSRef) -> Bool { a === b || a.object === b.object }

  private enum NoKeys: CodingKey {}
}

extension FlaskNSRef: CustomStringConvertible {
  /// The class of the object, or `nil`.
  public var description: String {
    object.map { "FlaskNSRef(\(type(of: $0)))" } ?? "FlaskNSRef(nil)"
  }
}

/// The short name of ``FlaskNSRef``.
public typealias FlaskRef = FlaskNSRef
