@_spi(Checks) import FlaskArchive
import Foundation

/// The state that is archived: large enough to be torn.
struct Sample: Codable, Sendable {
  static let key = "Fx.1.sample"

  private static let size = 200_000

  private static func letter(_ count: Int) -> Character { Character(Unicode.Scalar(UInt8(97 + count % 26))) }

  var count = 0
  var filling = ""

  init() {}

  init(count: Int) {
    self.count = count
    filling = String(repeating: Self.letter(count), count: Self.size)
  }

  /// Whether it is as it was made.
  var isWhole: Bool { filling == String(repeating: Self.letter(count), count: count == 0 ? 0 : Self.size) }
}

/// What came of reading the archive, and what was told.
struct Finding {
  var state: Sample?
  var isAbsent = false
  var isTorn = false
  var faults: [String] = []

  /// Reads the archive in `folder`, as the next start of the program would.
  init(reading backend: any ArchiveBackend) {
    let log = Log()
    let archiver = StateArchiver(
      key: Sample.key,
      owner: "check",
      in: backend,
      as: ArchiveShape(initial: Sample()),
      onFault: { log.add("\($0)") },
      snapshot: { nil }
    )
    switch archiver.load() {
    case .absent: isAbsent = true
    case .state(let sample):
      state = sample
      isTorn = !sample.isWhole
    case .corrupt, .unreadable: isTorn = true
    }
    faults = log.all
  }
}
