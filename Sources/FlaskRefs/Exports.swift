// Changes are published in types of this module.
@_exported public import FlaskDiff
