internal import FlaskArchive
internal import FlaskInsight
internal import Foundation

/// The lines of a recording, as far as they are whole, of both of its parts if it has two.
/// `docs/internals/recording-format.md` says what they are.
struct RecordingFile {
  private(set) var lines: [ArchiveValue] = []
  /// Where it is damaged; what comes before is read.
  private(set) var damage: Recording.Damage?
  /// The number of the part that it begins with, from 1.
  private(set) var firstPart = 0
  private var lastPart = 0

  /// Whether it was stopped, and all of it is here.
  var isComplete: Bool { damage == nil && lines.last?["line"]?.string == "end" }

  /// Reads a recording, with the part before the present one, if there is one that fits.
  init(contentsOf url: URL) throws {
    let previousURL = URL(fileURLWithPath: RecordingPart.previousPath(url.path))
    let parts = try Recording.parts {
      try? Data(contentsOf: previousURL)
    } present: {
      do {
        return try Data(contentsOf: url)
      } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
        return nil
      }
    }
    let previous = parts.previous.flatMap { data in try? RecordingFile(data) }
    guard let present = parts.present else {
      // A process that was killed between two parts leaves only the older one.
      guard let previous else { throw CocoaError(.fileReadNoSuchFile) }
      self = previous
      damage = damage?.at(previousURL.lastPathComponent)
      return
    }
    self = try RecordingFile(present)
    if let previous, previous.damage == nil, previous.lastPart == firstPart - 1 {
      lines = previous.lines + lines
      firstPart = previous.firstPart
    }
    damage = damage?.at(url.lastPathComponent)
  }

  /// Reads a recording of one part.
  init(_ data: Data) throws(RecordingError) {
    var reader = RecordingReader(Array(data))
    do throws(RecordingReader.Stop) {
      while let line = try reader.next() {
        if line["line"]?.string == nil { throw .damage(reader.damage(.content)) }
        lines.append(line)
      }
    } catch {
      switch error {
      case .damage(let found): damage = found
      case .error(let error): throw error
      }
    }
    guard let header = lines.first, header["line"]?.string == "header",
      header["format"]?.string == "flask-recording", let version = header["version"]?.int
    else { throw .notARecording }
    if version > Recording.version { throw .unknownVersion(version) }
    firstPart = header["part"]?.int ?? 1
    lastPart = firstPart
  }
}
