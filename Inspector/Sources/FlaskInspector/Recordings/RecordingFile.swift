internal import Foundation

/// The lines of a recording, as far as they are whole. `docs/internals/recording-format.md` says what they are.
struct RecordingFile {
  /// Where a file is damaged; what comes before is read.
  struct Damage: Equatable, CustomStringConvertible {
    let line: Int
    let byte: Int
    var description: String { "line \(line) is damaged, from byte \(byte) on" }
  }

  /// Why a file is not read at all.
  enum Failure: Error, Equatable, CustomStringConvertible {
    case notARecording
    case newerVersion(Int)
    var description: String {
      switch self {
      case .notARecording: "this is not a recording of Flask"
      case .newerVersion(let version):
        "this recording has version \(version), which is newer than this program"
      }
    }
  }

  let lines: [JSONTree]
  /// Whether it was stopped, and all of it is here.
  let isComplete: Bool
  let damage: Damage?

  init(_ data: Data) throws(Failure) {
    let bytes = Array(data)
    var seal = RecordingSeal()
    var lines: [JSONTree] = []
    var damage: Damage?
    var start = 0
    while start < bytes.count {
      let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      guard let feed, let body = seal.open(bytes[start..<feed]),
        let line = JSONParser.value(of: body[...]), line["line"]?.string != nil
      else {
        damage = Damage(line: lines.count + 1, byte: start)
        break
      }
      lines.append(line)
      start = feed + 1
    }
    guard let header = lines.first, header["line"]?.string == "header",
      header["format"]?.string == "flask-recording", let version = header["version"]?.int
    else { throw .notARecording }
    if version > 1 { throw .newerVersion(version) }
    self.lines = lines
    isComplete = damage == nil && lines.last?["line"]?.string == "end"
    self.damage = damage
  }
}

/// What each line ends with: a checksum of everything up to there.
struct RecordingSeal {
  private static let length = 18
  private var checksum: UInt32 = 0xFFFF_FFFF

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    return value
  }

  private mutating func end(of body: some Sequence<UInt8>) -> String {
    for byte in body {
      checksum = RecordingSeal.table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] ^ checksum >> 8
    }
    let digits = String(~checksum, radix: 16)
    return ",\"crc\":\"" + String(repeating: "0", count: 8 - digits.count) + digits + "\"}"
  }

  /// The object of a line without its checksum, if it is the right one.
  mutating func open(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    if line.count <= RecordingSeal.length { return nil }
    let body = line.dropLast(RecordingSeal.length)
    guard line.suffix(RecordingSeal.length).elementsEqual(end(of: body).utf8) else { return nil }
    return Array(body) + [UInt8(ascii: "}")]
  }

  /// A line with its checksum and its line feed, of one that lacks its brace.
  mutating func close(_ body: String) -> String { body + end(of: body.utf8) + "\n" }
}
