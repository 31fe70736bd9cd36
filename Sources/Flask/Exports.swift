@_exported public import FlaskActions
@_exported public import FlaskArchive
@_exported public import FlaskCore
@_exported public import FlaskDerived
@_exported public import FlaskDiff
@_exported public import FlaskEntities
@_exported public import FlaskRefs
@_exported public import FlaskScopes
@_exported public import FlaskSwift5
@_exported public import FlaskViews
public import Foundation

/// The state of one substance: the documented name of `FlaskState`.
///
/// SwiftUI has a `State` too. A file that imports both modules and writes `@State` adds `import struct SwiftUI.State`,
/// or imports `FlaskCore` instead of `Flask`.
public typealias State = FlaskState

extension Flask {
  /// An explicit nil as an entry of a `FlaskDictRef`: the key stays, without a value.
  public static var Nil: FlaskNil { FlaskNil() }

  /// `NSNull` as an entry of a `FlaskDictRef`.
  public static var Null: NSNull { NSNull() }
}
