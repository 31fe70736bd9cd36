internal import Foundation

/// The error of a recording that can't be written or read.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file can't be written; `code` is the system's error code.
  case notWritten(path: String, code: Int32)
  /// The file can't be read; `code` is the system's error code.
  case notRead(path: String, code: Int32)
  /// The file is no recording: its first line is damaged, or is not the header of a recording.
  case notARecording
  /// The recording was written by a newer version of Flask.
  case unknownVersion(Int)

  init(_ error: any Error, path: String) {
    self =
      switch error {
      case let error as RecordingError: error
      case ArchiveError.system(_, let code, _): .notWritten(path: path, code: code)
      default: .notWritten(path: path, code: 0)
      }
  }

  /// The problem as text.
  public var description: String {
    switch self {
    case .notWritten(let path, let code): "\(path) can't be written: \(String(cString: strerror(code)))"
    case .notRead(let path, let code): "\(path) can't be read: \(String(cString: strerror(code)))"
    case .notARecording: "the file is something else than a recording"
    case .unknownVersion(let version): "the recording has version \(version), which is newer than this code"
    }
  }
}
