/// The source location of a line of a test, or of the code under test.
public struct TestPlace: Sendable, Hashable, CustomStringConvertible {
  /// The file, as `#fileID`.
  public let fileID: String
  /// The file, as `#filePath`; as `#fileID` if the path is not known.
  public let filePath: String
  /// The line in the file.
  public let line: UInt
  /// The column in the line.
  public let column: UInt

  /// File and line.
  public var description: String { "\(fileID):\(line)" }
}

extension TestPlace {
  /// The source location of a call.
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    let name = fileID.description
    KnownFiles.note(name, at: filePath)
    self.init(fileID: name, filePath: filePath.description, line: line, column: column)
  }

  /// Returns the source location of a line in a file of which only the `fileID` is known; `self` if the file or the
  /// line is not known.
  func line(_ line: UInt, ofFile fileID: String?) -> TestPlace {
    guard let fileID, line > 0 else { return self }
    return TestPlace(
      fileID: fileID,
      filePath: KnownFiles.path(fileID)?.description ?? fileID,
      line: line,
      column: 1
    )
  }
}
