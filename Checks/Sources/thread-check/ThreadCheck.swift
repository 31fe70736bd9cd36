import Flask
import FlaskInsight
import Foundation

/// Programs as users write them, in which one thread reads what another one has changed; for ThreadSanitizer, which
/// ends the program at the first access that nothing orders.
///
///     thread-check <seconds> [which …]
@main
enum ThreadCheck {
  static func main() async {
    Flask.onFault = { _ in }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let all = ["reactions", "trace", "changes", "values", "outcomes", "listeners", "views"]
    let names = arguments.count > 1 ? Array(arguments.dropFirst()) : all
    guard let seconds = arguments.first.flatMap(Double.init) else {
      print("usage: thread-check <seconds> [\((all + ["unordered"]).joined(separator: "] ["))]")
      exit(64)
    }
    for name in names {
      let run = Run(seconds: seconds / Double(names.count))
      // Each with a bus of its own: what still waits of one would be performed in the time of the next.
      await Flux.$current.withValue(Flux()) {
        switch name {
        case "reactions": handOnReactions(run)
        case "trace": await askTrace(run)
        case "changes": await readChanges(run)
        case "outcomes": await awaitOutcomes(run)
        case "values": await readValues(run)
        case "listeners": await beginAndEndListening(run)
        case "views": await readViews(run)
        default: await changeUnordered(run)
        }
      }
      print("\(name): \(run.readCount) reads")
      if run.readCount == 0 { exit(1) }
    }
  }

  /// A handler hands its reaction, and what it is about, to other threads.
  static func handOnReactions(_ run: Run) {
    let (board, owner) = (Board(), Owner())
    let reactor = Flask.reactor(attachedTo: owner, mixing: board)
    reactor.handler = { _, reaction in
      let number = run.readCount
      for _ in 0..<2 { DispatchQueue.global().async { ask(reaction, number, run) } }
      // Most are let go of before their operation ends, and are used again; some are kept.
      if number % 5 != 1 { usleep(300) }
    }
    // Told later, of commits that have waited.
    let distant = Flask.reactor(attachedTo: owner, mixing: board)
    distant.handler = { @Elsewhere _, reaction in
      let number = run.readCount
      DispatchQueue.global().async { ask(reaction, number, run) }
      if number % 5 != 1 { usleep(200) }
    }
    run.mixOnThisThread(board)
  }

  /// Asks in one of several ways, each of which may be the last thing that is read of a reaction.
  private static func ask(_ reaction: FlaskReaction, _ number: Int, _ run: Run) {
    switch number % 7 {
    case 0: run.read(reaction.description)
    case 1: run.read("\(reaction.changed())")
    case 2: reaction.on(\BoardState.title) { run.read($0.old, $0.new, $0.substance().name()) }
    case 3: reaction.on("title") { run.read("\($0.oldValue() ?? 0)", $0.substance().name()) }
    case 4: reaction.on("names.1") { run.read($0.newValue() ?? "", $0.substance().name()) }
    case 5: reaction.on(\BoardState.unused) { _ in run.read("never") }
    default: if reaction.onLock != nil { run.read("never") }
    }
    run.read()
  }

  /// Two threads mix while others ask a trace, and read its records.
  static func askTrace(_ run: Run) async {
    let (first, second) = (Board(), Board())
    let trace = Trace(capacity: 8, values: .all)
    let observation = first.observe(\.title) { _, title in second.mix { $0.title = title } }
    run.mix(first, second)
    await run.perform([
      {
        while run.isOn {
          run.read(
            trace.records.map(\.description).joined(),
            trace.why(\.title, of: second)?.description ?? ""
          )
          if run.readCount % 50 == 0 { trace.removeAll() }
          await Task.yield()
        }
      },
      { for await record in first.flux.records(limit: 10) { run.read(record.description) } },
    ])
    trace.stop()
    observation.cancel()
  }

  /// Tasks read what was before each commit and after it.
  static func readChanges(_ run: Run) async {
    let board = Board()
    run.mix(board, slowly: true)
    let reader = { @Sendable () async in
      for await change in board.changes() {
        run.read(change.old.title, change.new.title, change.keys.joined())
        run.read("\(change.old.marks)", "\(change.new.marks)", change.new.names["1"] ?? "")
      }
    }
    await run.perform([reader, reader])
  }

  /// Tasks read values, the state, and what is derived from it.
  static func readValues(_ run: Run) async {
    let board = Board()
    let length = Derived { board.title.count + board.marks.count }
    run.mix(board)
    await run.perform([
      { for await title in board.values(of: \.title) { run.read(title) } },
      {
        while run.isOn {
          run.read(board.state.title, "\(length.value)")
          await Task.yield()
        }
      },
    ])
  }

  /// Tasks read views and observe them, while others mix their collection and the parameter.
  static func readViews(_ run: Run) async {
    let flights = Substance(Flights(all: Entities((0..<200).map { Flight(id: $0) })))
    let board = Board()
    let late = flights.view(\.all).filter(with: { board.count % 7 }) { $0.delay > $1 }.sorted {
      ($0.delay, $0.gate)
    }
    let sections = late.sections { $0.gate }
    let named = late.joined(with: flights.view(\.all).filter { $0.delay > 3 }, on: { $0.next }) {
      $1?.gate ?? $0.gate
    }
    let sum = named.sum { $0.value.count }
    run.mix(board, slowly: true)
    let mixer = { @Sendable () async in
      var number = 0
      while run.isOn {
        number += 7
        flights.mix { [number] flights in
          flights.all[id: number % 200]?.delay = number % 11
          flights.all[id: number % 200]?.gate = "the gate with the number \(number % 5)"
          flights.all.move(id: number % 199, to: number % 50)
          if number % 20 == 0 { flights.all[id: number % 200] = Flight(id: number % 200) }
        }
        await Task.yield()
      }
    }
    let reader = { @Sendable () async in
      while run.isOn {
        let (rows, groups, total) = Flask.snapshot(late, sections, sum)
        run.read(rows.map(\.gate).joined(), groups.map(\.id).joined(), "\(total)")
        let token = sections.observe { run.read($0.description) }
        await Task.yield()
        run.read(named.map(\.value).joined())
        token.cancel()
      }
    }
    await run.perform([
      mixer, mixer, reader, reader,
      { for await changes in named.elementChanges() { run.read(changes.description) } },
      { for await groups in sections.values() { run.read(groups.description) } },
    ])
  }

  /// Tasks begin and end to listen in every way, while others mix: substances that stay, and such that go meanwhile.
  static func beginAndEndListening(_ run: Run) async {
    let (first, second, owner) = (Board(), Board(), Owner())
    run.mix(first, second)
    await run.perform([
      {
        while run.isOn {
          var observations: [SubstanceObservation] = []
          for _ in 0..<10 { observations.append(first.observe(\.count) { _, new in run.read("\(new)") }) }
          second.mix { $0.count += 1 }
          for observation in observations { observation.cancel() }
        }
      },
      {
        let reactor = Flask.reactor(attachedTo: owner, mixing: [first, second])
        while run.isOn {
          reactor.handler = { _, reaction in run.read(reaction.description) }
          reactor.handler = { @Elsewhere _, reaction in run.read("\(reaction.changed())") }
          reactor.handler = nil
          reactor.unbind()
          await Task.yield()
          reactor.bind()
        }
      },
      {
        while run.isOn {
          let board = Board()
          let title = board.observe(\.title) { _, new in run.read(new) }
          let end = board.observe(\.self) { _, new in run.read(new.title) }
          let ended = first.observe(\.count) { _, new in
            board.mix { $0.title = "\(new)" }
            end.cancel()
          }
          first.mix { $0.count += 1 }
          title.cancel()
          await Task.yield()
          ended.cancel()
        }
      },
    ])
  }

  /// Waits for what others have done, and reads what they have made.
  static func awaitOutcomes(_ run: Run) async {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let archive = FileArchive(directory: folder)
    await run.perform([
      {
        while run.isOn {
          let number = run.readCount
          let place: any ArchiveBackend = number % 2 == 0 ? archive : DeferredArchive(archive)
          let board = await Flask.opened { Board(name: "board \(number % 3)", archive: true, in: place) }
          board.mix { $0.title += "x" }
          await board.opened()
          run.read("\(await board.archiveNow())", board.state.title)
        }
      },
      {
        let board = Board()
        while run.isOn {
          let unordered = Unordered()
          let lock = Flask.lock()
          let receipt = board.mix {
            $0.count += 1
            unordered.number = $0.count
          }
          Thread.detachNewThread { lock.release() }
          _ = await receipt.outcome
          run.read("\(unordered.number)")
        }
      },
    ])
  }

  /// A variable that nothing orders: this one has to be found.
  static func changeUnordered(_ run: Run) async {
    let unordered = Unordered()
    let writer = { @Sendable () async in
      while run.isOn {
        unordered.number += 1
        run.read("\(unordered.number)")
      }
    }
    await run.perform([writer, writer])
  }
}
