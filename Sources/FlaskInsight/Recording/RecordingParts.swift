public import Foundation

/// The bytes of both parts of a recording, as they were at one moment: a recorder may begin a part while they are read.
public struct RecordingParts {
  /// The older one; `nil` if there is none.
  public private(set) var previous: Data?
  /// The newest; `nil` if there is none, as between two parts.
  public private(set) var present: Data?

  /// Reads both, and again if the older one is another one by then. A recorder that begins one part after the other all
  /// the while is not waited for: then they may not fit.
  public init<Failure: Error>(
    previous readPrevious: () throws(Failure) -> Data?,
    present readPresent: () throws(Failure) -> Data?
  ) throws(Failure) {
    previous = try readPrevious()
    for _ in 0..<100 {
      present = try readPresent()
      let now = try readPrevious()
      if now == previous { return }
      previous = now
    }
  }
}
