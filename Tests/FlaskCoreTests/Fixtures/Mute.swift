import FlaskCore

/// An owner that implements no method of `FlaskReactor`.
final class Mute: FlaskReactor, Sendable {}
