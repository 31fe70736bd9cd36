import Foundation

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
    case .reentrant(let key): "\"\(key)\" was asked to save from inside its own encoding"
    case .backend(let description): description
    }
  }
}
