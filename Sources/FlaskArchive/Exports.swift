// This module extends types of the core, so its users also need the core.
@_exported public import FlaskCore
// Clients of this module also see `SubstanceSerializer` and `ArchiveError`.
@_exported public import FlaskCoding
