/// An owner of reactors that does nothing by itself.
final class Owner: Sendable {}
