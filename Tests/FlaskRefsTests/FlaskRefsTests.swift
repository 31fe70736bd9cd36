import Testing

@testable import FlaskRefs
