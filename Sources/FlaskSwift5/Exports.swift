// The overloads are needed alongside the originals of these modules.
@_exported public import FlaskActions
@_exported public import FlaskCore
@_exported public import FlaskDerived
@_exported public import FlaskScopes
