import Testing

@testable import FlaskCore
