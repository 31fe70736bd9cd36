#if !canImport(Darwin)
  import Foundation
  import Testing

  @testable import FlaskArchive

  @Suite struct DefaultDirectoryTests {
    @Test(arguments: [
      (["XDG_DATA_HOME": "/data"], "/data"),
      (["XDG_DATA_HOME": "relative"], "/home/ada/.local/share"),
      (["XDG_DATA_HOME": ""], "/home/ada/.local/share"),
      ([:], "/home/ada/.local/share"),
    ])
    func `The user's data stand where the desktop says`(environment: [String: String], path: String) {
      #expect(FileArchive.dataDirectory(environment: environment, home: "/home/ada").path == path)
    }
  }
#endif
