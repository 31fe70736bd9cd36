// Re-exported, since the functions of this module take values of the core, and throw errors of the coding.
@_exported public import FlaskCore
@_exported public import FlaskCoding
