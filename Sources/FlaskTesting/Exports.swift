// Exported, since the tests of an app also use the Flask types that the app uses.
@_exported public import FlaskInsight
