import FlaskActions
import FlaskCore
import FlaskEntities
import FlaskHistory
import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

/// Shared groups as an app uses them, with their threads.
@Suite struct SharedSubstancesTests {
  private typealias Item = SharedStock.Item
  private typealias Shelf = SharedStock.Shelf
  private typealias Stock = SharedStock.Stock
  private typealias Add = SharedStock.Add
  private typealias Process = SharedStock.Process

  private let database = SimulatedDatabase()

  private func settle(_ processes: Process...) async throws {
    // All of them, since a process that has nothing to save may not have read the commits before.
    var places: [SharedPlace] = []
    for process in processes { places.append(try await process.group.save()) }
    for process in processes {
      for place in places { try await process.group.reached(place, timeout: .seconds(10)) }
    }
  }

  @Test func `several Entities inside of structs are rows, and nested ones stay in their element`()
    async throws
  {
    let a = Process(database)
    a.stock.mix { stock in
      stock.left = Shelf(
        label: "left",
        items: [Item(id: "a", tags: ["x"], parts: [.init(id: 1)]), Item(id: "b")]
      )
      stock.right.items = [Item(id: "a")]
      stock.counts = ["a": 1]
    }
    try await a.group.save()
    let rows = database.rows(of: "stock").filter { $0.key.part == "stock" }
    #expect(rows.map(\.key.path) == ["", "left.items", "left.items", "right.items"])
    let b = Process(database)
    #expect(b.stock.state == a.stock.state)
    // One in each place, beside each other.
    a.stock.mix {
      $0.left.items[id: "a"]?.tags.insert("y"); $0.counts["b"] = 2
    }
    b.stock.mix {
      $0.left.items[id: "a"]?.tags.insert("z"); $0.left.items[id: "a"]?.parts.append(.init(id: 2))
    }
    b.stock.mix {
      $0.counts["c"] = 3; $0.right.label = "right"
    }
    try await settle(a, b)
    try await settle(b, a)
    #expect(a.stock.state == b.stock.state)
    #expect(a.stock.state.left.items[id: "a"]?.tags == ["x", "y", "z"])
    #expect(a.stock.state.left.items[id: "a"]?.parts.count == 2)
    #expect(a.stock.state.counts == ["a": 1, "b": 2, "c": 3])
  }

  @Test func `what is not shared stays, and observers hear only of keys that changed`() async throws {
    let (a, b) = (Process(database), Process(database))
    a.stock.mix { $0.left.items = [Item(id: "a"), Item(id: "b")] }
    try await settle(a, b)
    b.stock.mix {
      $0.selection = "a"; $0.left.items[id: "b"]?.isOpen = true
    }
    let changes = Recorder<String>()
    let observations = [
      b.stock.observe(\.selection) { _, _ in changes.append("selection") },
      b.stock.observe(\.right) { _, _ in changes.append("right") },
      b.stock.observe(\.left) { _, _ in changes.append("left") },
    ]
    a.stock.mix { $0.left.items[id: "a"]?.count = 5 }
    try await settle(a, b)
    #expect(b.stock.state.selection == "a")
    #expect(b.stock.state.left.items[id: "b"]?.isOpen == true)
    #expect(b.stock.state.left.items[id: "a"]?.count == 5)
    #expect(changes.all == ["left"])
    withExtendedLifetime(observations) {}
  }

  @Test func `stores share, and a mix over two parts arrives whole`() async throws {
    let (a, b) = (Process(database), Process(database))
    let dispatcher = Flux.$current.withValue(a.flux) { FluxDispatcher() }
    dispatcher.register(workers: [a.totals])
    _ = await dispatcher.dispatch(Add(amount: 3)).outcome
    try await settle(a, b)
    #expect(b.totals.state.sum == 3)
    #expect(Process(database).totals.state.sum == 3)
  }

  @Test func `5: a save inside of a lock returns while another writes`() async throws {
    let (a, b) = (Process(database), Process(database))
    try await a.flux.withLock {
      b.stock.mix { $0.left.label = "b" }
      try await b.group.save()
      a.stock.mix { $0.right.label = "a" }
      try await a.group.save(timeout: .seconds(10))
    }
    try await settle(a, b)
    #expect(a.stock.state.left.label == "b")
    #expect(b.stock.state.right.label == "a")
  }

  @Test func `6: steady mixes and saves do not keep an arrival out`() async throws {
    let (a, b) = (Process(database), Process(database))
    let isEnded = Recorder<Bool>()
    let mixing = Task.detached {
      while isEnded.count == 0 {
        a.stock.mix { $0.counts["a", default: 0] += 1 }
        try await a.group.save()
      }
    }
    b.stock.mix { $0.left.label = "b" }
    let place = try await b.group.save()
    try await a.group.reached(place, timeout: .seconds(20))
    #expect(a.stock.state.left.label == "b")
    isEnded.append(true)
    try await mixing.value
    try await settle(a, b)
    #expect(a.stock.state == b.stock.state)
  }

  @Test func `offline, mixes continue, and all is saved once the database is back`() async throws {
    let (a, b) = (Process(database), Process(database))
    a.store.onStep = { _ in .unreachable }
    a.stock.mix { $0.left.items.append(Item(id: "a")) }
    await #expect(throws: SharingError.self) { try await a.group.save() }
    if case .offline = a.group.status.state.phase {} else { Issue.record("\(a.group.status.state)") }
    await #expect(throws: SharingError.self) { try await a.group.save(timeout: .milliseconds(300)) }
    b.stock.mix { $0.left.items.append(Item(id: "b")) }
    try await b.group.save()
    let saving = Task { try await a.group.save(timeout: .seconds(20)) }
    a.store.onStep = nil
    _ = try await saving.value
    try await settle(a, b)
    #expect(Array(a.stock.state.left.items.ids) == ["b", "a"])
    #expect(a.stock.state == b.stock.state)
    #expect(a.group.status.state.phase == .current)
  }

  @Test func `a substance that is made while the database can't be reached gets its state later`()
    async throws
  {
    let a = Process(database)
    a.stock.mix { $0.left.label = "a" }
    try await a.group.save()
    let flux = Flux()
    let store = database.connect()
    store.onStep = { _ in .unreachable }
    let (group, stock) = Flux.$current.withValue(flux) {
      let group = SharedGroup("stock", in: store)
      return (group, Substance<Stock>(name: "stock", archive: true, in: group))
    }
    #expect(stock.state.left.label.isEmpty)
    await #expect(throws: SharingError.self) { try await group.opened() }
    stock.mix { $0.right.label = "b" }
    store.onStep = nil
    try await group.opened()
    #expect(stock.state.left.label == "a")
    #expect(stock.state.right.label == "b")
    try await group.save(timeout: .seconds(10))
    try await settle(a)
    #expect(a.stock.state.right.label == "b")
  }

  @Test func `19: the last seat is sold once, and the same request is performed once`() async throws {
    struct SoldOut: Error {}
    let (a, b) = (Process(database), Process(database))
    a.stock.mix { $0.counts = ["free": 10] }
    try await settle(a, b)
    let sold = await withTaskGroup(of: Bool.self) { tasks in
      for number in 0..<40 {
        let process = number % 2 == 0 ? a : b
        tasks.addTask {
          let left = try? await process.group.transact(process.stock, timeout: .seconds(20)) { stock in
            guard stock.counts["free", default: 0] > 0 else { throw SoldOut() }
            stock.counts["free", default: 0] -= 1
            return stock.counts["free", default: 0]
          }
          return left != nil
        }
      }
      return await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(sold == 10)
    for process in [a, b, a] {
      try await process.group.transact(process.stock, process.totals, once: "order") { stock, total in
        stock.counts["free", default: 0] += 1
        total.sum += 1
      }
    }
    try await settle(a, b)
    #expect(b.stock.state.counts["free"] == 1)
    #expect(b.totals.state.sum == 1)
  }

  @Test func `what a released substance had changed is saved, and its name can be used again`() async throws {
    let store = database.connect()
    let flux = Flux()
    let group = Flux.$current.withValue(flux) { SharedGroup("stock", in: store) }
    for number in 1...5 {
      let stock = Flux.$current.withValue(flux) { Substance<Stock>(name: "stock", archive: true, in: group) }
      #expect(stock.state.counts["n", default: 0] == number - 1)
      stock.mix { $0.counts["n"] = number }
    }
    try await group.save()
    #expect(Process(database).stock.state.counts["n"] == 5)
  }

  @Test func `a rollback reverts what was changed here, and not what others have written`() async throws {
    let (a, b) = (Process(database), Process(database))
    a.stock.captureState()
    a.stock.mix { $0.left.label = "a" }
    b.stock.mix { $0.left.items.append(Item(id: "b")) }
    try await settle(a, b)
    try await settle(b, a)
    a.stock.rollbackState()
    try await settle(a, b)
    #expect(b.stock.state.left.label.isEmpty)
    #expect(Array(b.stock.state.left.items.ids) == ["b"])
    #expect(a.stock.state == b.stock.state)
  }

  @Test func `an optimistic change that fails takes nothing of others with it`() async throws {
    struct Refused: Error {}
    let (a, b) = (Process(database), Process(database))
    let history = History(of: a.stock)
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let sending = Task {
      try await history.optimistic {
        a.stock.mix {
          $0.left.label = "a"; $0.left.items.append(Item(id: "a"))
        }
      } confirmedBy: {
        for await _ in gate { break }
        throw Refused()
      }
    }
    for await shelf in a.stock.values(of: \.left) where shelf.label == "a" { break }
    b.stock.mix {
      $0.left.label = "b"; $0.right.label = "b"
    }
    try await settle(b, a)
    opener.yield()
    _ = try? await sending.value
    try await settle(a, b)
    try await settle(b, a)
    #expect(a.stock.state == b.stock.state)
    #expect(b.stock.state.right.label == "b")
    #expect(b.stock.state.left.items.isEmpty)
    withExtendedLifetime(history) {}
  }

  @Test func `two substances of one name, and one in two groups, are faults`() async throws {
    let a = Process(database)
    let twin = Flux.$current.withValue(a.flux) { Substance<Stock>(name: "stock", archive: true, in: a.group) }
    twin.mix { $0.left.label = "twin" }
    try await a.group.save()
    #expect(a.faults.all.map(\.kind).contains(.archiveShared))
    #expect(a.stock.state.left.label.isEmpty)
  }
}
