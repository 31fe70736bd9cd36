// The module encodes the values of the core.
@_exported public import FlaskCore
