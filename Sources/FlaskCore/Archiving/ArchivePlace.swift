/// A place where archives are kept, as the kernel names it: `ArchiveBackend` of `FlaskArchive` refines it.
public protocol ArchivePlace: Sendable {}
