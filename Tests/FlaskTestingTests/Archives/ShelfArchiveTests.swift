import Foundation
import Testing

@Suite struct ShelfArchiveTests {
  @Test func `The code in the documentation is the code that is tested`() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let page = here.appendingPathComponent("../../../docs/archives.md").standardizedFileURL
    let code = try String(contentsOf: here.appendingPathComponent("ShelfArchive.swift"), encoding: .utf8)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("```swift\n\(code)```"))
  }
}
