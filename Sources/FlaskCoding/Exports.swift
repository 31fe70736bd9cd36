// It says how what the core has becomes text.
@_exported public import FlaskCore
