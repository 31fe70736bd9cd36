public import Foundation

/// The operations of a flux, as a `Recorder` wrote them.
///
/// ```swift
/// let recording = try Recording(contentsOf: file)
/// for operation in recording.operations { print(operation) }
/// if let damage = recording.damage { print(damage) }
/// ```
/// A damaged file is read up to the damage: every line before the damage is as it was written.
public struct Recording: Sendable {
  /// The version of the format that is written, and the newest that is read.
  public static let version = 1

  /// The location and the kind of a damage in a file. The lines from this location on were not read.
  public struct Damage: Sendable, Hashable, CustomStringConvertible {
    /// The kind of damage.
    ///
    /// Later versions may add cases: a `switch` over it has an `@unknown default`.
    #if hasAttribute(nonexhaustive)
      @nonexhaustive
    #endif
    public enum Reason: String, Sendable {
      /// The file ends inside of a line.
      case cutOff
      /// The line was changed, or it is not the line that was written at this position.
      case checksum
      /// The line was not changed, and this version of Flask cannot interpret it.
      case content
    }

    /// The path of the file; `nil` if it was read from data.
    public fileprivate(set) var path: String?
    /// The offset of the line's first byte in its file.
    public let offset: Int
    /// The number of the line in its file, from 1.
    public let line: Int
    /// The kind of damage.
    public let reason: Reason

    /// Place and reason.
    public var description: String {
      let what =
        switch reason {
        case .cutOff: "the file is cut off"
        case .checksum: "the line is damaged"
        case .content: "the line can't be understood"
        }
      return "\(path ?? "recording"):\(line): \(what), from byte \(offset) on"
    }
  }

  /// An item of a recording.
  enum Event: Sendable {
    case state(substance: Int, ArchiveValue?)
    /// An operation, by its index in `operations`.
    case operation(Int)
    case gap(first: Int, last: Int)
  }

  /// The time when the recording began, in ISO 8601. If older parts are missing, the time when the first existing part
  /// began.
  public private(set) var began = ""
  /// The substances, by number.
  public private(set) var substances: [RecordedSubstance] = []
  /// The names of the substances, by the numbers of the substances.
  private var names: [Int: String] = [:]
  /// The operations, in the order in which they ended.
  public private(set) var operations: [OperationRecord] = []
  /// The numbers of the operations that were not recorded, since the writer did not keep up, or since they were
  /// performed by a `RecordingPlayer`.
  public private(set) var gaps: [ClosedRange<Int>] = []
  /// Whether the recording was stopped, and is complete. If not, the process was killed or still records, or the file
  /// is damaged.
  public private(set) var isComplete = false
  /// The damage of the file; `nil` if there is none.
  public private(set) var damage: Damage?
  private(set) var events: [Event] = []
  /// The original lines, for clients that need members which this type does not offer; `nil` unless the lines were
  /// requested.
  public private(set) var lines: [ArchiveValue]?
  private var part = 0
  /// Whether older parts were removed.
  public var isBeginningMissing: Bool { firstPart > 1 }
  private var firstPart = 0

  /// Reads a recording from its file, and the part before it from `<name>.previous`, if that file exists.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - keepingLines: whether the property `lines` keeps the lines of the files.
  /// - Throws: `RecordingError` if the file is missing, or is not a recording of this or an earlier format version.
  /// - Complexity: linear in the size of the file, which is read into memory.
  public init(contentsOf url: URL, keepingLines: Bool = false) throws(RecordingError) {
    let path = url.path
    let previousPath = RecordingPart.previousPath(url.path)
    let parts = try Recording.parts { () throws(RecordingError) in
      try Recording.contents(previousPath)
    } present: { () throws(RecordingError) in
      try Recording.contents(path)
    }
    guard let present = parts.present else {
      guard let previous = parts.previous else { throw .notRead(path: path, code: ENOENT) }
      self = try Recording(data: previous, keepingLines: keepingLines)
      damage?.path = previousPath
      return
    }
    let older = parts.previous.flatMap { try? Recording(data: $0, keepingLines: keepingLines) }
    do {
      self = try Recording(data: present, keepingLines: keepingLines)
      if var older, older.damage == nil, older.part == part - 1 {
        older.append(self)
        self = older
      }
      damage?.path = path
    } catch {
      // The process was killed while it started this part, so the recording ends with the previous part.
      guard error == .notARecording, let older else { throw error }
      self = older
      damage?.path = previousPath
      damage = damage ?? Damage(path: path, offset: 0, line: 1, reason: present.isEmpty ? .cutOff : .content)
    }
  }

  /// Reads a recording that consists of one part.
  ///
  /// - Parameters:
  ///   - data: the bytes of the file.
  ///   - keepingLines: whether the property `lines` keeps the lines of the file.
  /// - Throws: a `RecordingError` if the data is no recording, or a recording of a newer version. The first line must
  ///   be whole, since it names the version.
  public init(data: Data, keepingLines: Bool = false) throws(RecordingError) {
    lines = keepingLines ? [] : nil
    var seal = RecordingSeal()
    var rest = Array(data)[...]
    var number = 0
    while !rest.isEmpty {
      number += 1
      var reason = Damage.Reason.cutOff
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        reason = .checksum
        if let object = seal.open(rest[..<end]) {
          reason = .content
          if let line = try? ArchiveValue(recorded: object), try read(line, isFirst: number == 1) {
            rest = rest[(end + 1)...]
            continue
          }
        }
      }
      damage = Damage(offset: rest.startIndex, line: number, reason: reason)
      break
    }
    if part == 0 { throw .notARecording }
  }

  /// Reads a consistent snapshot of both parts of a recording. The older part is read again if it was replaced in
  /// between. After 100 attempts the last result is returned, whose parts may not be consecutive.
  ///
  /// - Returns: the older part, `nil` if there is none; and the newest part, `nil` if a rotation is in progress.
  static func parts<Failure: Error>(
    previous readPrevious: () throws(Failure) -> Data?,
    present readPresent: () throws(Failure) -> Data?
  ) throws(Failure) -> (previous: Data?, present: Data?) {
    var parts = (previous: try readPrevious(), present: Data?.none)
    for _ in 0..<100 {
      parts.present = try readPresent()
      let now = try readPrevious()
      if now == parts.previous { break }
      parts.previous = now
    }
    return parts
  }

  /// The content of a file; `nil` if the file does not exist.
  private static func contents(_ path: String) throws(RecordingError) -> Data? {
    do throws(ArchiveError) {
      return try OpenFile(path, O_RDONLY | O_NONBLOCK).contents(limit: .max, isText: true)
    } catch {
      if case .system(_, let code, _) = error {
        if code == ENOENT { return nil }
        throw .notRead(path: path, code: code)
      }
      throw .notRead(path: path, code: 0)
    }
  }

  /// Reads one line.
  ///
  /// - Returns: `false` if the line is invalid at this position.
  private mutating func read(_ line: ArchiveValue, isFirst: Bool) throws(RecordingError) -> Bool {
    let kind = line["line"]?.string
    if isFirst != (kind == "header") || isComplete { return false }
    switch kind {
    case "header":
      guard line["format"]?.string == "flask-recording", let version = line["version"]?.int
      else { throw .notARecording }
      if version > Recording.version { throw .unknownVersion(version) }
      began = line["began"]?.string ?? ""
      part = max(1, line["part"]?.int ?? 1)
      firstPart = part
    case "substance":
      guard let substance = RecordedSubstance(line) else { return false }
      if names.updateValue(substance.name, forKey: substance.number) == nil { substances.append(substance) }
      events.append(.state(substance: substance.number, line["state"]))
    case "operation":
      guard let operation = OperationRecord(line, names: names) else { return false }
      events.append(.operation(operations.count))
      operations.append(operation)
    case "gap":
      guard let first = line["first"]?.int, let last = line["last"]?.int, first <= last else { return false }
      events.append(.gap(first: first, last: last))
      gaps.append(first...last)
    case "end": isComplete = true
    default: if kind == nil { return false }
    }
    lines?.append(line)
    return true
  }

  /// Adds the part that follows.
  private mutating func append(_ other: Recording) {
    let count = operations.count
    substances += other.substances.filter { names.updateValue($0.name, forKey: $0.number) == nil }
    operations += other.operations
    gaps += other.gaps
    lines?.append(contentsOf: other.lines ?? [])
    for event in other.events {
      if case .operation(let index) = event {
        events.append(.operation(index + count))
      } else {
        events.append(event)
      }
    }
    isComplete = other.isComplete
    damage = other.damage
    part = other.part
  }
}
