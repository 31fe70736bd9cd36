public import SystemPackage

/// Reads flights from a file or from standard input, off the main actor, a batch at a time.
///
/// Whoever asks for the next batch only when it is done with the last one holds no more than that in memory.
public actor FlightReader {
  private static let batchSize = 64 * 1024

  private let file: FileDescriptor
  private var splitter = LineSplitter()
  private var buffer = [UInt8](repeating: 0, count: batchSize)
  private var isAtEnd = false

  /// Reads what `file` has from where it stands. Does not close it.
  public init(file: FileDescriptor) { self.file = file }

  /// The next lines, `nil` after the last one. Waits for input; throws the `Errno` of a read that failed.
  public func next() throws -> [FlightLine]? {
    if isAtEnd { return nil }
    let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
    if count > 0 { return splitter.split(buffer[..<count]).map { FlightLine($0) } }
    isAtEnd = true
    return splitter.finish().map { [FlightLine($0)] }
  }
}
