/// Marks a type whose values are secret. No trace keeps such a value, however deep it is nested in a state.
///
/// ```swift
/// struct Password: Redacted { var text: String }
/// ```
/// The name of a marked type is also hidden where it is the type of an action, of an error, or of the owner of a
/// reactor. Faults and descriptions do not show such a value either.
public protocol Redacted {}
