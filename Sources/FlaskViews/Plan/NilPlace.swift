/// Where elements come that have no key, in either direction.
public enum NilPlace: Sendable { case first, last }
