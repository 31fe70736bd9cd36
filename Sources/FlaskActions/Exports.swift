// Exports FlaskCore, since this module adds members to its types.
@_exported public import FlaskCore

// Exports FlaskScopes, whose scopes are passed to work.
@_exported public import FlaskScopes
