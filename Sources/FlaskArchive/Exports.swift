// The module adds to the types of the core.
@_exported public import FlaskCore
// `SubstanceSerializer` and `ArchiveError` are names of this module for its users.
@_exported public import FlaskCoding
