// Clients need these modules alongside the overloads.
@_exported public import FlaskActions
@_exported public import FlaskCore
@_exported public import FlaskDerived
@_exported public import FlaskScopes
@_exported public import FlaskViews
