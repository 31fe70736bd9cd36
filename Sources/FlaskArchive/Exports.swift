// It adds to what the core has.
@_exported public import FlaskCore
// What an archive holds as text, and why it can't be read.
@_exported public import FlaskCoding
