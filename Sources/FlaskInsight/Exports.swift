// Code that watches an app also uses the app's types.
@_exported public import FlaskActions
@_exported public import FlaskArchive
@_exported public import FlaskCore
@_exported public import FlaskDerived
@_exported public import FlaskEntities
@_exported public import FlaskHistory
@_exported public import FlaskScopes
@_exported public import FlaskSwift5
