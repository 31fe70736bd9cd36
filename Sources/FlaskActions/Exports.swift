// Exports FlaskCore, since this module adds members to its types.
@_exported public import FlaskCore
