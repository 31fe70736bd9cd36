// Changes are published in types of `FlaskDiff`.
@_exported public import FlaskDiff
