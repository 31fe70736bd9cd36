/// Cuts bytes, as they come, into lines.
///
/// A line ends with LF or CRLF, the last one also without. A byte-order mark of UTF-8 is skipped. Decides only; whoever
/// has the bytes reads them.
public struct LineSplitter {
  /// How many bytes a line may have. What a longer one has beyond is dropped, so that no input fills the memory.
  public static let longestLine = 1 << 20

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var unfinished: [UInt8] = []
  private var lines = 0

  /// A splitter that has seen nothing.
  public init() {}

  /// Takes the next bytes; returns the lines that end in them.
  public mutating func split(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var finished: [Line] = []
    var rest = bytes
    while let end = rest.firstIndex(of: Self.lineFeed) {
      append(rest[..<end])
      finished.append(finishLine())
      rest = rest[(end + 1)...]
    }
    append(rest)
    return finished
  }

  /// The last line, if it has no line break. To be called once, after everything was split.
  public mutating func finish() -> Line? { unfinished.isEmpty ? nil : finishLine() }

  /// One byte too many is kept, which tells a line that is too long; and one for a carriage return.
  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    unfinished.append(contentsOf: bytes.prefix(Self.longestLine + 2 - unfinished.count))
  }

  private mutating func finishLine() -> Line {
    lines += 1
    var bytes = unfinished[...]
    unfinished.removeAll(keepingCapacity: true)
    if bytes.last == Self.carriageReturn { bytes.removeLast() }
    if lines == 1, bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(Self.byteOrderMark.count) }
    return Line(number: lines, bytes: bytes.count > Self.longestLine ? nil : Array(bytes))
  }
}
