// The module adds to the types of the core.
@_exported public import FlaskCore
// Clients of this module also see `SubstanceSerializer` and `ArchiveError`.
@_exported public import FlaskCoding
