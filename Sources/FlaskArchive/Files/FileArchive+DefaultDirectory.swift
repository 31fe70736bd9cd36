import Foundation

extension FileArchive {
  /// The folder of this process's archives if the client names no folder.
  static var defaultDirectory: URL {
    dataDirectory(environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory())
      .appendingPathComponent(FileName.escape(processName), isDirectory: true)
      .appendingPathComponent("Flask", isDirectory: true)
  }

  /// The folder of the user's data.
  ///
  /// - Parameters:
  ///   - environment: the environment of the process. A relative path in `XDG_DATA_HOME` is ignored, as the XDG
  ///     specification says.
  ///   - home: the user's home.
  /// - Returns: the folder.
  static func dataDirectory(environment: [String: String], home: String) -> URL {
    #if canImport(Darwin)
      return URL(fileURLWithPath: "\(home)/Library/Application Support", isDirectory: true)
    #else
      let chosen = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return URL(fileURLWithPath: chosen ?? "\(home)/.local/share", isDirectory: true)
    #endif
  }

  private static var processName: String {
    Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
  }
}
