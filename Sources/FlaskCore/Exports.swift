// What changed is handed out in its types.
@_exported public import FlaskDiff
