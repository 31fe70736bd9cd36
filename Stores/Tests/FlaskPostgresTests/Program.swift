import Flask
import FlaskPostgres
import FlaskSharing
import Foundation

struct Entry: Codable, Identifiable, Sendable, Equatable {
  var id: UUID = UUID()
  var title = ""
}

struct Ledger: FlaskState, Equatable {
  var title = ""
  var entries: Entities<Entry> = []
}

/// A process that shares the group `books`.
struct Program {
  let store: PostgresStore
  let group: SharedGroup
  let ledger: Substance<Ledger>

  init(_ url: String, _ name: String = "books", direct: String? = nil) throws {
    store = try PostgresStore(url, listeningTo: direct)
    let flux = Flux()
    flux.onFault = { _ in }
    let made = store
    (group, ledger) = Flux.$current.withValue(flux) {
      let group = SharedGroup(name, in: made)
      return (group, Substance<Ledger>(name: "ledger", archive: true, in: group))
    }
  }

  /// Waits until a condition holds. A test that waits in vain ends by the limit of its runner.
  func until(_ holds: () throws -> Bool) async throws {
    while try !holds() { try await Task.sleep(for: .milliseconds(10)) }
  }
}

final class Counter: @unchecked Sendable {
  // `@unchecked Sendable`: `number` is guarded by `lock`.
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func add() { lock.withLock { number += 1 } }
}
