@_exported public import FlaskCore
@_exported public import FlaskHistory
