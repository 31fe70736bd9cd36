import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct UserDefaultsArchiveTests {
  @Test(arguments: ["", "../../x", "a/b", "..", "nul\0"])
  func `A suite whose name leaves its folder is refused`(name: String) {
    #expect(UserDefaultsArchive(suiteName: name) == nil)
  }

  @Test func `Text of an older framework is read as UTF-16, anything else is no archive`() throws {
    let name = "FlaskTests.\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { UserDefaults.standard.removePersistentDomain(forName: name) }
    defaults.set("{}", forKey: "text")
    defaults.set(5, forKey: "number")
    let archive = UserDefaultsArchive(defaults, location: name)
    #expect(try archive.load("text") == Data([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]))
    #expect(throws: ArchiveError.notBytes(key: "number")) { try archive.load("number") }
  }
}
