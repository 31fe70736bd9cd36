/// A place for archives. The kernel only passes it on; `ArchiveBackend` of `FlaskArchive` refines it.
public protocol ArchivePlace: Sendable {}
