import Flask
import Foundation

struct Counter: FlaskState { var count = 0, text = "" }
struct Add: FluxAction {}
struct Row: Identifiable, Sendable {
  let id: Int
  var rank = 0
  var isDone = false
}
struct List: Sendable { var rows: Entities<Row> }
final class Owner: Sendable {}

final class CounterStore: FluxStore<Counter>, @unchecked Sendable {
  init() {
    super.init(initialState: Counter())
    registerReducer(for: Add.self) { state, _ in state.count += 1 }
  }
}

/// Makes one journey through Flask again and again, for `Scripts/measure-journeys.py`, which counts the calls.
///
///     journey mix|chain|action|derived|view|disk <times>
@main
enum Journey {
  @MainActor static func main() {
    guard CommandLine.arguments.count == 3, let times = Int(CommandLine.arguments[2]) else {
      print("usage: journey mix|chain|action|derived|view|disk <times>")
      exit(64)
    }
    let counter = Substance(Counter())
    switch CommandLine.arguments[1] {
    case "mix":
      let observation = counter.observe(\.count) { _, _ in }
      for _ in 0..<times { counter.mix { $0.count += 1 } }
      observation.cancel()
    case "chain":
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: counter)
      reactor.handler = { _, reaction in reaction.on(\Counter.count) { _ in } }
      for _ in 0..<times { reactor.mix(counter) { $0.prop.count += 1 }.react() }
    case "action":
      let (dispatcher, store) = (FluxDispatcher(), CounterStore())
      dispatcher.register(workers: [store])
      let observation = store.observe(\.count) { _, _ in }
      for _ in 0..<times { dispatcher.dispatch(Add()) }
      observation.cancel()
    case "derived":
      let double = Derived { counter.count * 2 }
      let observation = double.observe { _, _ in }
      for _ in 0..<times { counter.mix { $0.count += 1 } }
      observation.cancel()
    case "view":
      let list = Substance(List(rows: [Row(id: 1), Row(id: 2), Row(id: 3)]))
      let view = list.view(\.rows).filter { !$0.isDone }.sorted { $0.rank }.sections { $0.rank % 2 }
      let observation = view.observe { _ in }
      for _ in 0..<times { list.mix { $0.rows[id: 2]?.rank += 1 } }
      observation.cancel()
    case "disk":
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let place = FileArchive(directory: folder)
      let archived = Substance<Counter>(name: "counter", archive: true, in: place)
      for _ in 0..<times {
        archived.mix { $0.count += 1 }
        archived.archiveNow()
      }
    default:
      print("no such journey")
      exit(64)
    }
  }
}
