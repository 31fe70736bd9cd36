// Re-exported, since the functions of this module take values of the core.
@_exported public import FlaskCore
