@testable import FlaskPrimitives
import FlaskDiff
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

struct Row: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var title = ""
  var _note = 0
}

/// A state with entities in every place where a journal can find them, and other properties beside.
struct Board: Codable, Equatable, Sendable {
  struct Page: Codable, Equatable, Sendable {
    var rows: Entities<Row> = []
    var name = ""
  }

  var rows: Entities<Row> = []
  var title = ""
  var pages: [String: Page] = [:]
  var stack: [Page] = []
  var spare: Entities<Row>?

  /// So many rows, whose archive is large enough for a journal from 400 on.
  init(_ count: Int = 0) {
    rows = Entities((0..<count).map { Row(id: $0, title: "the title of row \($0)") })
  }
}

/// A state, its archiver, and all that becomes of them.
final class JournalBench<State: Codable & Sendable & Equatable>: Sendable {
  let state: Lock<State>
  let faults = Recorder<String>()
  let backend: any ArchiveBackend
  private let shape: ArchiveShape<State>
  let archiver: StateArchiver<State>

  init(_ backend: any ArchiveBackend, _ initial: State, version: Int = 0) {
    let (state, faults) = (Lock(initial), faults)
    (self.state, self.backend) = (state, backend)
    shape = ArchiveShape(version: version, initial: initial)
    archiver = StateArchiver(
      key: "app",
      owner: ArchiveOwner(name: "bench"),
      in: backend,
      as: shape,
      schedule: ArchiveSchedule(delay: .seconds(2), cap: .seconds(10)),
      scheduler: ManualArchiveScheduler(),
      registry: Archivers(),
      onFault: { faults.append("\($0)") },
      snapshot: { state.withLock { $0 } }
    )
  }

  /// Changes the state, and saves it.
  func save(_ change: (inout State) -> Void) throws {
    state.withLock { change(&$0) }
    archiver.stateChanged()
    try archiver.archiveNow()
  }

  /// The state as the next start finds it, which is the state from now on; `nil` if there is none.
  @discardableResult
  func load() -> State? {
    guard case .state(let read) = archiver.load() else { return nil }
    state.withLock { $0 = read }
    return read
  }

  /// The archive and the journal.
  var bytes: (archive: Data, journal: Data)? {
    guard let backend = backend as? any JournalArchiveBackend else { return nil }
    return try? backend.loadWithJournal("app")
  }

  var journalCount: Int { bytes?.journal.count ?? -1 }
}

/// What another program reads.
func reading<State: Codable & Sendable>(
  _ backend: any ArchiveBackend,
  as initial: State
) -> (state: State?, isDamaged: Bool) {
  let (reading, _, damage) = ArchiveReader(backend: backend, key: "app").read(
    as: ArchiveShape(initial: initial)
  )
  guard case .state(let state) = reading else { return (nil, false) }
  return (state, damage != nil)
}
