/// Marks a type whose values are secret. No trace keeps such a value, however deep it is nested in a state.
///
/// ```swift
/// struct Password: Redacted { var text: String }
/// ```
/// The name of an action, an error or the owner of a reactor that is marked is kept back, too.
public protocol Redacted {}
