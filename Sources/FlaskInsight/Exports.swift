// Who watches an app writes it, too.
@_exported public import FlaskCore
