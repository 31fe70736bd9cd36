/// The state of one substance: a struct whose stored properties all have defaults.
///
/// The stored properties are the *keys* that reactions report. Nested keys are joined by dots (`info.nest.foo`). A
/// property whose name begins with `_` is state like any other (it is archived), but is excluded from reactions. In
/// nested types all properties count, unless the type conforms to this protocol, too.
///
/// ```swift
/// struct AppState: FlaskState {
///   enum prop: StateProp { case counter }
///   var counter = 0
/// }
/// ```
/// The module `Flask` has the documented name `State` for it. SwiftUI has a `State` too: a file that imports both adds
/// `import struct SwiftUI.State`, or imports `FlaskCore` alone.
public protocol FlaskState: HidesUnderscored, Codable, Sendable {
  /// The initial state.
  init()
}

/// The raw type of the enum `prop` inside of a state. Each case of this enum has the name of a property.
public typealias StateProp = String

/// The raw type of an enum whose cases are global mixers.
public typealias SubstanceMixer = String
