/// A place in which archives are stored: an `ArchiveBackend` of `FlaskArchive`, or a `SharedGroup` of `FlaskSharing`.
/// `FlaskCore` only passes it on to these modules.
///
/// An initializer of yours that passes `in:` on has a parameter of the type `(any ArchivePlace)?`. To make a place,
/// conform to `ArchiveBackend`: a type that conforms to this protocol alone keeps no archives, and the fault
/// `archiveOff` says so.
public protocol ArchivePlace: Sendable {}
