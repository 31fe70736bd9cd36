public import FlaskCore
public import FlaskRefs
public import Foundation

extension Flask {
  /// An explicit nil as an entry of a `FlaskDictRef`: the key stays, without a value.
  public static var Nil: FlaskNil { FlaskNil() }

  /// `NSNull` as an entry of a `FlaskDictRef`.
  public static var Null: NSNull { NSNull() }
}
