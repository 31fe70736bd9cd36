import Testing

@testable import FlaskDiff
