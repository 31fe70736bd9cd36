import Flask
import FlaskHistory
import Foundation

/// Writes an archive of each format, or reads those that another version of this program has written.
///
/// Each state is one archive: a plain one, one with a journal, and two of a group. The steps of a history are a file.
@main
struct FormatCheck {
  let folder: URL
  let flux = Flux()

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let verb = arguments.first, let path = arguments.last else { return usage() }
    let check = FormatCheck(folder: URL(fileURLWithPath: path, isDirectory: true))
    do {
      switch verb {
      case "write": try await check.write()
      case "read": try await check.read()
      default: usage()
      }
    } catch {
      print("✘ \(error)")
      exit(1)
    }
  }

  private static func usage() {
    print("usage: format-check write <folder> | read <folder>")
    exit(64)
  }

  private var place: FileArchive { FileArchive(directory: folder) }
  private var steps: URL { folder.appendingPathComponent("steps.history") }

  /// The substances, as each run of a program makes them.
  private func substances() -> Archived {
    Flux.$current.withValue(flux) {
      let group = ArchiveGroup("session", in: place)
      return Archived(
        notes: Substance(Notes(), name: "notes", archive: true, in: place),
        ledger: Substance(Ledger(), name: "ledger", archive: true, in: place),
        account: Substance(Account(), name: "account", archive: true, in: group),
        basket: Substance(Basket(), name: "basket", archive: true, in: group)
      )
    }
  }

  private func write() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let archived = substances()
    let history = History(of: archived.notes)
    archived.notes.mix { $0 = .sample }
    history.mix("rename") { archived.notes.prop.title = "renamed" }
    archived.ledger.mix { $0 = .sample }
    archived.account.mix { $0.name = "Ann" }
    archived.basket.mix { $0.items = ["pen": 2] }
    await Flask.flushArchives()
    // The second save of the ledger is a record of its journal.
    archived.ledger.mix { $0.entries[id: 7]?.amount = 700 }
    await Flask.flushArchives()
    try await history.archived().write(to: steps)
    print("written")
  }

  private func read() async throws {
    let archived = substances()
    var wrong: [String] = []
    func expect<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
      if value != expected { wrong.append("\(name) is \(value), not \(expected)") }
    }
    var notes = Notes.sample
    notes.title = "renamed"
    expect("notes", archived.notes.state, notes)
    var ledger = Ledger.sample
    ledger.entries[id: 7]?.amount = 700
    expect("ledger", archived.ledger.state, ledger)
    expect("account", archived.account.state, Account(name: "Ann"))
    expect("basket", archived.basket.state, Basket(items: ["pen": 2]))
    let history = History(of: archived.notes)
    try await history.restore(from: Data(contentsOf: steps))
    history.undo()
    expect("notes before the step", archived.notes.state, .sample)
    if wrong.isEmpty { return print("✔ archive, journal, group and history are read") }
    print("✘ \(wrong.joined(separator: "\n✘ "))")
    exit(1)
  }
}
