// It adds to what the core has.
@_exported public import FlaskCore
