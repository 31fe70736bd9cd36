// The overloads stand beside what these declare.
@_exported public import FlaskActions
@_exported public import FlaskCore
@_exported public import FlaskDerived
@_exported public import FlaskScopes
