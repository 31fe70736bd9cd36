internal import FlaskEntities
import Foundation

/// The end of an archive's journal, as far as one must know it to append to it.
struct JournalEnd: Sendable {
  /// Archives below are saved as a whole: nothing would be gained.
  static let smallestArchive = 16 << 10

  /// What the archive begins with.
  let beginning: Data
  /// How many bytes the archive has.
  let archiveCount: Int
  /// How many bytes the journal has.
  var length = 0
  /// The checksum of the last record.
  var checksum: UInt32

  /// That of an archive without a journal.
  init(of archive: Data) {
    beginning = JournalFormat.beginning(of: archive)
    archiveCount = archive.count
    checksum = JournalFormat.checksum(ofArchive: archive)
  }

  /// Whether the archive is too small for a journal.
  var isSmall: Bool { archiveCount < Self.smallestArchive }

  /// A record with a payload, behind which the end is then.
  ///
  /// - Returns: `nil` if the whole is to be saved in its place: the archive is small, or the journal would be larger.
  mutating func record(_ payload: Data) -> Data? {
    var next = self
    guard !isSmall, let record = JournalFormat.record(payload, after: &next.checksum),
      length + record.count <= archiveCount
    else { return nil }
    next.length += record.count
    self = next
    return record
  }
}

/// What an archive of one state with its journal has, as far as one must know to append to it.
struct JournalBasis: Sendable {
  var end: JournalEnd
  /// The rest of the state, without its entities; `nil` if it is not known.
  var rest: Data?
  /// The entities, by place. An archive has the elements of each as an array at its place, in their order.
  var contents: [[EntitiesCollector.Step]: EntitiesContent]

  /// - Returns: `nil` if the archive is too small, or no entities are in it.
  init?(_ end: JournalEnd, _ contents: [[EntitiesCollector.Step]: EntitiesContent], rest: Data? = nil) {
    guard !end.isSmall, !contents.isEmpty else { return nil }
    (self.end, self.rest, self.contents) = (end, rest, contents)
  }
}

/// What a save has to do.
enum JournalStep: Sendable {
  /// To append a record; an empty one if the archive with its journal has the state.
  case append(Data, JournalBasis)
  /// To save the whole; with what is known of it then, if there can be a journal.
  case whole(Data, JournalBasis?)
}
