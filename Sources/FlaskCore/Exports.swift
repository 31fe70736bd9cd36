// Public declarations of this module use the change types of FlaskDiff.
@_exported public import FlaskDiff
