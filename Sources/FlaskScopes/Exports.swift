// The module adds to the types of the core.
@_exported public import FlaskCore
