internal import FlaskEntities
import Foundation

/// What an archive with its journal has, as far as one must know to append to it.
struct JournalBasis: Sendable {
  /// Archives below are saved as a whole: nothing would be gained.
  static let smallestArchive = 16 << 10

  /// What the archive begins with.
  let beginning: Data
  /// How many bytes the archive has.
  let archiveCount: Int
  /// How many bytes the journal has.
  var length: Int
  /// The checksum of the last record.
  var checksum: UInt32
  /// The rest of the state, without its entities; `nil` if it is not known.
  var rest: Data?
  /// The entities, by place. An archive has the elements of each as an array at its place, in their order.
  var contents: [[EntitiesCollector.Step]: EntitiesContent]

  /// That of an archive without a journal.
  ///
  /// - Returns: `nil` if the archive is too small, or no entities are in it.
  init?(of archive: Data, _ contents: [[EntitiesCollector.Step]: EntitiesContent], rest: Data? = nil) {
    guard archive.count >= Self.smallestArchive, !contents.isEmpty else { return nil }
    beginning = JournalFormat.beginning(of: archive)
    archiveCount = archive.count
    length = 0
    checksum = JournalFormat.checksum(ofArchive: archive)
    self.rest = rest
    self.contents = contents
  }
}

/// What a save has to do.
enum JournalStep: Sendable {
  /// To append a record; an empty one if the archive with its journal has the state.
  case append(Data, JournalBasis)
  /// To save the whole; with what is known of it then, if there can be a journal.
  case whole(Data, JournalBasis?)
}
