import Testing

@testable import FlaskArchive
