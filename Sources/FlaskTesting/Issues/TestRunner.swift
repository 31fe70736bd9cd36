internal import Foundation

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// The running test library. An issue is reported to Swift Testing if one of its tests is running, as a failure to
/// XCTest if that runs, and otherwise as a line on standard error.
///
/// Only this module imports, and so links, both libraries. It is a module for tests, and no other module of the package
/// imports it. Swift Testing's types are resilient, so that their functions can't be called by a symbol lookup.
enum TestRunner {
  static func report(_ issue: TestIssue) {
    #if canImport(Testing)
      if Test.current != nil { return record(issue) }
    #endif
    #if canImport(XCTest)
      if isXCTestRunning { return fail(issue) }
    #endif
    FileHandle.standardError.write(Data("\(issue)\n".utf8))
  }

  #if canImport(Testing)
    private static func record(_ issue: TestIssue) {
      let place = issue.place
      // Swift Testing traps at a source location whose `fileID` has no module, or whose line or column is zero. These
      // are replaced.
      let fileID = place.fileID.contains("/") ? place.fileID : "Unknown/\(place.fileID)"
      Issue.record(
        Comment(rawValue: issue.message),
        sourceLocation: Testing.SourceLocation(
          fileID: fileID,
          filePath: place.filePath,
          line: max(1, Int(place.line)),
          column: max(1, Int(place.column))
        )
      )
    }
  #endif

  #if canImport(XCTest)
    private static let isXCTestRunning =
      ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
      || CommandLine.arguments.first?.contains(".xctest") == true

    private static func fail(_ issue: TestIssue) {
      // XCTest needs the path of the file as a static string. For a file that has not called this module, no static
      // string is known, so the location is written into the message.
      if let file = KnownFiles.path(issue.place.fileID) {
        XCTFail(issue.message, file: file, line: issue.place.line)
      } else {
        XCTFail(issue.description)
      }
    }
  #endif
}
