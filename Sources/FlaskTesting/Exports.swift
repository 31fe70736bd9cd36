// Code that tests an app uses the app's types, too.
@_exported public import FlaskInsight
