// Who tests an app writes what the app does, too.
@_exported public import FlaskInsight
