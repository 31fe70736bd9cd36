// Changes are published in its types.
@_exported public import FlaskDiff
