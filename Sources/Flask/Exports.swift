@_exported public import FlaskArchive
@_exported public import FlaskCore
@_exported public import FlaskDiff
@_exported public import FlaskRefs
