/// A place in which archives are stored. `FlaskCore` only passes it on to `FlaskArchive`, whose protocol
/// `ArchiveBackend` refines it.
public protocol ArchivePlace: Sendable {}
