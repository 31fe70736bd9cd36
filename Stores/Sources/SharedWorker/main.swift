import Flask
import FlaskPostgres
import FlaskSQLite
import FlaskSharing
import Foundation

// A process that shares a group, for proofs with many of them. FILE may be the connection string of a server:
//
//   SharedWorker FILE add FIRST COUNT        inserts entries, and saves after each: prints `saved ID` once it is durable
//   SharedWorker FILE edit SEED COUNT        changes random entries: prints `saved ID VALUE`
//   SharedWorker FILE count SECONDS          adds one in transactions: prints `COUNT LONGEST-WAIT-IN-SECONDS`
//   SharedWorker FILE serve FIRST COUNT      as add, eight at a time: prints the longest wait and the processor time of one, in seconds
//   SharedWorker FILE full                   saves on a disk that is full for a while
//   SharedWorker FILE newer COUNT            as add, of a version whose entries have one more property
//   SharedWorker FILE mix FIRST COUNT        changes a thousand entries in turn: prints `sum SUM` of their values, once they are durable
//   SharedWorker FILE rest SECONDS           does nothing, then prints the number of entries

struct Entry: Codable, Identifiable, Sendable {
  var id: Int
  var value = 0
  var text = ""
}

struct Ledger: FlaskState {
  var count = 0
  var entries: Entities<Entry> = []
}

/// An entry of a later version.
struct NewEntry: Codable, Identifiable, Sendable {
  var id: Int
  var value = 0
  var text = ""
  var tag: String? = "new"
}

struct NewLedger: FlaskState {
  var count = 0
  var entries: Entities<NewEntry> = []
}

func say(_ line: String) {
  print(line)
  fflush(nil)
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(1)
}

let arguments = CommandLine.arguments.dropFirst().map { $0 }
guard arguments.count >= 2 else { fail("SharedWorker FILE MODE …") }
let mode = arguments[1]

func number(_ index: Int) -> Int {
  guard arguments.indices.contains(index), let number = Int(arguments[index]) else {
    fail("a number is missing")
  }
  return number
}

let place = arguments[0]
let store: any RecordStore =
  try place.hasPrefix("postgres") ? PostgresStore(place) : SQLiteStore(at: URL(fileURLWithPath: place))
let group = SharedGroup("books", in: store)

switch mode {
case "add":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  for id in number(2)..<number(2) + number(3) {
    ledger.mix { $0.entries.append(Entry(id: id, text: "entry \(id) of a process")) }
    try await group.save(timeout: .seconds(30))
    say("saved \(id)")
  }
case "edit":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  var seed = UInt64(number(2))
  for value in 1...number(3) {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let ids = ledger.state.entries.map(\.id)
    if ids.isEmpty { continue }
    let id = ids[Int(seed >> 33) % ids.count]
    ledger.mix { $0.entries[id: id]?.value = value }
    try await group.save(timeout: .seconds(30))
    say("saved \(id) \(value)")
  }
case "count":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  let clock = ContinuousClock()
  let end = clock.now + .seconds(number(2))
  var count = 0
  var longest = Duration.zero
  while clock.now < end {
    let begin = clock.now
    try await group.transact(ledger, timeout: .seconds(30)) { $0.count += 1 }
    longest = max(longest, clock.now - begin)
    count += 1
  }
  say("\(count) \(longest / .seconds(1))")
case "serve":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  let clock = ContinuousClock()
  let (first, count) = (number(2), number(3))
  let begin = Foundation.clock()
  let longest = try await withThrowingTaskGroup(of: Duration.self) { tasks in
    for handler in 0..<8 {
      tasks.addTask {
        var longest = Duration.zero
        for id in stride(from: first + handler, to: first + count, by: 8) {
          let begin = clock.now
          ledger.mix { $0.entries.append(Entry(id: id, text: "order \(id)")) }
          try await group.save(timeout: .seconds(30))
          longest = max(longest, clock.now - begin)
        }
        return longest
      }
    }
    var all = Duration.zero
    for try await one in tasks { all = max(all, one) }
    return all
  }
  let processor = Double(Foundation.clock() - begin) / Double(CLOCKS_PER_SEC) / Double(count)
  say("\(longest / .seconds(1)) \(processor)")
case "full":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  try await group.opened()
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit()
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
    let resource = RLIMIT_FSIZE
  #endif
  getrlimit(resource, &limit)
  let usual = limit
  limit.rlim_cur = 4096
  setrlimit(resource, &limit)
  ledger.mix { $0.entries.append(contentsOf: (0..<1000).map { Entry(id: $0, text: "no room for this") }) }
  do {
    try await group.save()
    fail("a save on a full disk succeeds")
  } catch {
    say("full: \(error)")
  }
  ledger.mix { $0.count = 7 }
  limit = usual
  setrlimit(resource, &limit)
  try await group.save(timeout: .seconds(30))
  say("saved \(ledger.state.entries.count)")
case "newer":
  let ledger = Substance<NewLedger>(name: "ledger", archive: true, in: group)
  for id in number(2)..<number(2) + number(3) {
    ledger.mix { $0.entries.append(NewEntry(id: id)) }
    try await group.save(timeout: .seconds(30))
    say("saved \(id)")
  }
case "mix":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  let ids = number(2)..<number(2) + 1000
  ledger.mix { $0.entries.append(contentsOf: ids.map { Entry(id: $0) }) }
  for count in 0..<number(3) {
    ledger.mix { $0.entries[id: ids.lowerBound + count % 1000]?.value += 1 }
    if count % 100 == 0 { try await group.save(timeout: .seconds(60)) }
  }
  try await group.save(timeout: .seconds(60))
  say("sum \(ledger.state.entries.filter { ids.contains($0.id) }.map(\.value).reduce(0, +))")
case "rest":
  let ledger = Substance<Ledger>(name: "ledger", archive: true, in: group)
  try await Task.sleep(for: .seconds(number(2)))
  say("\(ledger.state.entries.count)")
default:
  fail("there is no mode \(mode)")
}
