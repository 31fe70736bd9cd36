// Views are made of substances and scopes, and give derived values and changes of elements.
@_exported public import FlaskDerived
@_exported public import FlaskEntities
@_exported public import FlaskScopes
