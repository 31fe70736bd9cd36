import FlaskCoding
import FlaskCore
import FlaskEntities
import FlaskPrimitives
@testable import FlaskSharing
import FlaskTesting
import TestSupport

struct SimulatedRow: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var x = 0
  var y = 0
}

struct SimulatedLedger: FlaskState, Equatable {
  var title = 0
  var stamp = 0
  var rows: Entities<SimulatedRow> = []
}

struct SimulatedJournal: FlaskState, Equatable {
  var stamp = 0
}

/// One process that shares a group: the session without a thread, so that every order of events can be tried.
final class SimulatedProcess {
  let flux = Flux()
  let store: SimulatedStore
  let session: GroupSession
  let ledger: Substance<SimulatedLedger>
  let journal: Substance<SimulatedJournal>
  private let faults = Recorder<String>()

  init(_ database: SimulatedDatabase, version: Int = 0, isReadOnly: Bool = false) throws {
    let faults = faults
    store = database.connect()
    session = GroupSession(
      "books",
      RowCoding(version: version, migrate: { _, _, _ in }, merges: MergeClosures()),
      isReadOnly: isReadOnly
    ) { _, message in faults.append(message) }
    (ledger, journal) = Flux.$current.withValue(flux) {
      (Substance(name: "ledger"), Substance(name: "journal"))
    }
    for part in [
      try TypedSharedPart("ledger", ledger, initial: ArchivedState { SimulatedLedger() }),
      try TypedSharedPart("journal", journal, initial: ArchivedState { SimulatedJournal() }),
    ] {
      _ = session.join(part)
      session.open(part, with: nil)
    }
    try read()
    install()
  }

  var messages: [String] { faults.all }

  /// The identities of the rows of the ledger that memory was made of.
  var shadowIDs: [Int] {
    // Operations are performed at once here, so an arrival is always published.
    let shadow = session.shared.withLock { shared in
      shared.parts["ledger"].map { $0.arrival?.shadow ?? $0.shadow }
    }
    return shadow?.contents.values.first?.entities(of: SimulatedRow.self)?.map(\.id) ?? []
  }

  var ledgerParts: [SharedPart] { session.part(of: ledger.cell).map { [$0] } ?? [] }

  func read() throws {
    let query = session.query()
    session.absorb(try store.read(query), query, isAlone: false)
  }

  /// Lets the flux install what was read.
  func install() {
    for flux in session.fluxesToInstall {
      let operation = FluxOperation(OperationIdentity(.arrival, by: .flask), in: flux) { [session] in
        session.install(in: $0, of: flux)
      }
      _ = flux.submit(operation, isolation: .none)
      session.didInstall(in: flux)
    }
  }

  /// One attempt to save.
  ///
  /// - Parameter willTransact: called once memory is pinned.
  /// - Returns: the number of the commit, or of the last one if nothing was written.
  @discardableResult
  func save(
    _ transactions: [any SharedTransaction] = [],
    willTransact: () -> Void = {}
  ) throws -> Int {
    guard case .attempt(let attempt) = session.pin(transactions) else { return session.position?.number ?? 0 }
    willTransact()
    do {
      let position = try store.transact(attempt.query) { tail, fetch in
        try session.decide(tail, attempt, fetch: fetch)
      }
      session.settle(attempt, at: position)
      if !attempt.failures.isEmpty { throw SharingError.rowsNotSaved(attempt.failures) }
      return session.position?.number ?? 0
    } catch RecordStoreError.unknownOutcome(let reason) {
      session.leaveInDoubt(attempt)
      throw RecordStoreError.unknownOutcome(reason)
    } catch let error as SharingError {
      if case .rowsNotSaved = error { throw error }
      session.abandon(attempt)
      throw error
    } catch {
      session.abandon(attempt)
      throw error
    }
  }
}
