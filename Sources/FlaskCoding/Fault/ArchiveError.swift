internal import Foundation

/// The reason why an archive could not be read or written.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ArchiveError: Error, Hashable, Sendable {
  /// A call of the system failed.
  ///
  /// - Parameters:
  ///   - call: the name of the system call, such as `fsync`.
  ///   - code: the error number.
  ///   - path: the affected file or folder.
  case system(call: String, code: Int32, path: String)

  /// The file is no regular file: a folder, a link, a pipe.
  case notAFile(path: String)

  /// The archive is larger than the limit of the backend for reading or writing.
  case tooLarge(bytes: Int, limit: Int)

  /// Something other than bytes is kept under the key.
  case notBytes(key: String)

  /// The defaults did not reach the disk.
  case notSynchronized(location: String)

  /// Another process uses the same place. The last save wins.
  case sharedWithAnotherProcess(location: String)

  /// The bytes are no archive, or were damaged. The reason says where.
  case corrupt(reason: String)

  /// The archive was written by a version of the state that this code does not know.
  case newerVersion(found: Int, known: Int)

  /// The archive is whole, but does not fit the state, and no migration made it fit.
  case doesNotFit(reason: String)

  /// The state or the archive is nested too deeply to be encoded or decoded.
  case tooDeep(limit: Int)

  /// The state could not be encoded.
  case notEncodable(reason: String)

  /// Nothing was written or removed. The earlier archive could not be read, or is still being read, and must not be
  /// overwritten.
  case refused(reason: String)

  /// Some parts of a group could not be read. They stay as they are; all other parts are saved.
  case partsRefused(keys: [String], reason: String)

  /// A save was requested of an owner that is not archived.
  case notArchived(name: String)

  /// A save was requested from inside the work on an archive, such as a state's `encode(to:)`. The request did not
  /// wait.
  case reentrant(key: String)

  /// The save did not end within the time limit.
  case timedOut(after: Duration)

  /// The backend failed with an error of its own.
  case backend(description: String)
}

extension ArchiveError {
  /// Passes an archive error through, and wraps any other error of a backend.
  package init(_ error: any Error) {
    self = error as? ArchiveError ?? .backend(description: String(describing: error))
  }

  /// Whether another attempt with the same bytes may succeed later. Example: the device is full, or the process lacks a
  /// permission. Bytes are quarantined only if this is `false`.
  package var isTemporary: Bool {
    switch self {
    case .corrupt, .newerVersion, .doesNotFit, .tooDeep, .notEncodable, .tooLarge, .notAFile, .notBytes: false
    default: true
    }
  }

  /// Whether the error is about the state that was to be saved: another attempt fails too unless the state changes.
  package var isOfState: Bool {
    switch self {
    case .notEncodable, .tooDeep, .tooLarge: true
    default: false
    }
  }

  /// Performs `body`, and converts an error into an `ArchiveError`.
  package static func catching<Result>(_ body: () throws -> Result) throws(ArchiveError) -> Result {
    do { return try body() } catch { throw ArchiveError(error) }
  }
}

extension ArchiveError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .system(let call, let code, let path):
      "\(call) failed with \(code) (\(String(cString: strerror(code)))) at \(path)"
    case .notAFile(let path): "\(path) is not a regular file"
    case .tooLarge(let bytes, let limit): "it has \(bytes) bytes, and the limit is \(limit)"
    case .notBytes(let key): "something other than bytes is kept under \"\(key)\""
    case .notSynchronized(let location): "\(location) could not be written"
    case .sharedWithAnotherProcess(let location): "another process uses \(location)"
    case .corrupt(let reason): reason
    case .newerVersion(let found, let known):
      "it was written by version \(found) of the state, and this code knows version \(known)"
    case .doesNotFit(let reason): "it does not fit the state: \(reason)"
    case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
    case .notEncodable(let reason): "the state could not be encoded: \(reason)"
    case .refused(let reason): "nothing is written over what could not be read: \(reason)"
    case .partsRefused(let keys, let reason):
      "nothing is written over the parts \(keys.joined(separator: ", ")), which could not be read: \(reason)"
    case .notArchived(let name): "\(name) is not archived"
    case .reentrant(let key): "\"\(key)\" was asked to save by what encodes or stores an archive"
    case .timedOut(let limit): "it took longer than \(limit)"
    case .backend(let description): description
    }
  }
}
