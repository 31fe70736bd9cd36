/// A weak pointer to an object, for states that refer to objects which are no state themselves.
///
/// A key of this type changes when the pointer does, whatever happens inside the object:
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

  /// The object, or `nil` when it was deallocated or there never was one.
  ///
  /// May be read on any thread; the object itself is as safe there as its class makes it.
  public weak let object: AnyObject?

  /// Points to an object without keeping it alive.
  public init(_ object: AnyObject?) { self.object = object }

  /// Comes back empty, whatever was encoded.
  public init(from decoder: any Decoder) throws { object = nil }

  /// Encodes an empty value.
  public func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: NoKeys.self)
  }

  /// Whether both point to the same object, or neither to any.
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
