// It adds to what the core has.
@_exported public import FlaskCore
// `SubstanceSerializer` and `ArchiveError` are names of this module for its users.
@_exported public import FlaskCoding
