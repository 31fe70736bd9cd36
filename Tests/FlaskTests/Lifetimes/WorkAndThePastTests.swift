import FlaskActions
import FlaskEntities
import FlaskHistory
import FlaskInsight
import FlaskScopes
import FlaskSharing
import FlaskTesting
import Foundation
import Testing
import TestSupport

@testable import FlaskArchive
@testable import FlaskCore

/// Work and the states that undo, a time travel, an archive and another process bring.
@Suite struct WorkAndThePastTests {
  private struct Screen: FlaskState, Equatable {
    struct Card: Identifiable, Codable, Sendable, Equatable {
      let id: Int
      var title = ""
    }

    var open: Card?
    var cards = Entities<Card>()
    var count = 0
  }

  private let log = TestSupport.Recorder<String>()

  private func stay(_ name: String) async {
    log.append("\(name) starts")
    try? await Task.sleep(for: .seconds(3_600))
    log.append("\(name) ends")
  }

  private func wait(for lines: String...) async {
    await soon { log.all.sorted() == lines.sorted() }
    #expect(log.all.sorted() == lines.sorted())
  }

  private func made(_ screen: Screen = Screen(), in flux: Flux = Flux()) -> Substance<Screen> {
    Flux.$current.withValue(flux) { Substance(screen, name: "screen") }
  }

  @Test func `an undo that brings the member back starts its work, and a redo ends it`() async {
    let screen = made()
    let history = History(of: screen)
    screen.whilePresent(\.open) { card in await stay("open \(card.id)") }
    screen.whilePresent(each: \.cards) { card in await stay("card \(card.id)") }
    screen.mix {
      $0.open = Screen.Card(id: 1)
      $0.cards.append(Screen.Card(id: 7))
    }
    await wait(for: "open 1 starts", "card 7 starts")
    screen.mix {
      $0.open = nil
      $0.cards.removeAll()
    }
    await wait(for: "open 1 starts", "card 7 starts", "open 1 ends", "card 7 ends")
    history.undo()
    await soon { log.all.count == 6 }
    #expect(log.all.suffix(2).sorted() == ["card 7 starts", "open 1 starts"])
    history.redo()
    await soon { log.all.count == 8 }
    #expect(log.all.suffix(2).sorted() == ["card 7 ends", "open 1 ends"])
  }

  @Test func `a time travel starts nothing and ends nothing`() async throws {
    let folder = TestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let flux = Flux()
    let screen = made(in: flux)
    let recorder = try FlaskInsight.Recorder(
      to: folder.url.appendingPathComponent("run.flask"),
      of: flux,
      beginningWith: [screen]
    )
    let work = screen.whilePresent(\.open) { card in await stay("open \(card.id)") }
    screen.whilePresent(each: \.cards) { card in await stay("card \(card.id)") }
    screen.mix { $0.open = Screen.Card(id: 1) }
    await wait(for: "open 1 starts")
    screen.mix { $0.open = nil }
    screen.mix { $0.cards.append(Screen.Card(id: 7)) }
    await wait(for: "open 1 starts", "open 1 ends", "card 7 starts")
    let travel = try await recorder.travel(through: [screen])
    try await travel.seek(to: 1)
    #expect(screen.state.open != nil)
    #expect(screen.state.cards.isEmpty)
    #expect(!work.isRunning)
    // What is registered in the past waits for the present.
    screen.whilePresent(\.open) { card in await stay("late \(card.id)") }
    screen.whilePresent(each: \.cards) { card in await stay("late card \(card.id)") }
    await soon { false }
    #expect(log.all.count == 3)
    await travel.end()
    await soon { log.all.count == 4 }
    #expect(log.all == ["open 1 starts", "open 1 ends", "card 7 starts", "late card 7 starts"])
    screen.mix { $0.cards.removeAll() }
    await soon { log.all.count == 6 }
    #expect(log.all.suffix(2).sorted() == ["card 7 ends", "late card 7 ends"])
    await recorder.stop()
  }

  @Test func `a travel that work has begun comes back, although the work has ended`() async throws {
    let folder = TestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let flux = Flux()
    let screen = made(in: flux)
    let recorder = try FlaskInsight.Recorder(
      to: folder.url.appendingPathComponent("run.flask"),
      of: flux,
      beginningWith: [screen]
    )
    screen.mix { $0.count = 1 }
    screen.mix { $0.count = 2 }
    let panel = made(Screen(open: Screen.Card(id: 1)))
    let started = Signal()
    let go = Gate()
    let isOver = Signal()
    panel.whilePresent(\.open) { [weak screen] _ in
      guard let screen else { return }
      let travel = try await recorder.travel(through: [screen])
      try await travel.seek(to: 1)
      started.fire()
      await OtherThread.run { go.wait() }
      await travel.end()
      isOver.fire()
    }
    await started.wait()
    #expect(screen.state.count == 1)
    panel.mix { $0.open = nil }
    go.open()
    await isOver.wait()
    #expect(screen.state.count == 2)
    #expect(!screen.cell.isInThePast)
    await recorder.stop()
  }

  @Test func `a restored state starts the work that it implies, now or when it arrives`() async throws {
    let memory = MemoryArchive()
    do {
      let screen = Flux.$current.withValue(Flux()) {
        Substance(Screen(), name: "screen", archive: true, in: memory)
      }
      screen.mix { $0.open = Screen.Card(id: 5) }
      #expect(await screen.archiveNow())
    }
    do {
      let read = Flux.$current.withValue(Flux()) {
        Substance(Screen(), name: "screen", archive: true, in: memory)
      }
      read.whilePresent(\.open) { card in await stay("read \(card.id)") }
      await wait(for: "read 5 starts")
    }
    await wait(for: "read 5 starts", "read 5 ends")
    let late = Flux.$current.withValue(Flux()) {
      Substance(Screen(), name: "screen", archive: true, in: DeferredArchive(memory))
    }
    late.whilePresent(\.open) { card in await stay("late \(card.id)") }
    try await late.requireOpened()
    await wait(for: "read 5 starts", "read 5 ends", "late 5 starts")
  }

  @Test func `what another process removes ends its work, and what it inserts starts`() async throws {
    let database = SimulatedDatabase()
    func opened() -> (group: SharedGroup, screen: Substance<Screen>) {
      Flux.$current.withValue(Flux()) {
        let group = SharedGroup("shelf", in: database.connect())
        return (group, Substance(Screen(), name: "screen", archive: true, in: group))
      }
    }
    let (here, there) = (opened(), opened())
    here.screen.whilePresent(each: \.cards) { card in await stay("card \(card.id)") }
    there.screen.mix { $0.cards.append(Screen.Card(id: 1)) }
    try await there.group.save()
    await wait(for: "card 1 starts")
    there.screen.mix {
      $0.cards.remove(id: 1)
      $0.cards.append(Screen.Card(id: 2))
    }
    try await there.group.save()
    await wait(for: "card 1 starts", "card 1 ends", "card 2 starts")
    withExtendedLifetime((here, there)) {}
  }

  // MARK: Tests of work, and what runs

  @Test func `no order of a removal lets work of a gone member submit anything`() async {
    struct Close: FluxAction {}
    struct Seen: FluxAction { let step: Int }
    final class Shop: FluxStore<Screen>, @unchecked Sendable {
      init() {
        super.init(initialState: Screen(open: Screen.Card(id: 1)), name: "shop")
        registerReducer(for: Close.self) { state, _ in state.open = nil }
        registerReducer(for: Seen.self) { state, action in state.count = state.open == nil ? -1 : action.step
        }
      }
    }
    let runs = Workload.count(300, full: 10_000)
    let result = await withTestFlux(order: .oldestFirst) { test in
      await test.explore(seeds: runs) { test in
        let shop = Shop()
        let screen = Substance(Screen(open: Screen.Card(id: 1)), name: "screen")
        let loader = FluxMiddleware()
        loader.registerEffect(for: Seen.self, while: { _ in shop.lifetime(of: \.open) }) { action, dispatch in
          await Task.yield()
          if action.step < 4 { dispatch(Seen(step: action.step + 1)) }
          await Task.yield()
          screen.mix { $0.count += screen.state.open == nil ? 0 : 1 }
        }
        test.dispatcher.register(workers: [shop, loader])
        screen.whilePresent(\.open) { card in
          for _ in 0..<3 {
            await Task.yield()
            card.mix { $0.title += "x" }
            screen.mix { $0.count = $0.open == nil ? -1 : $0.count }
          }
        }
        Task(executorPreference: test.flux.environment?.executor) {
          await Task.yield()
          screen.mix { $0.open = nil }
        }
        test.dispatcher.dispatch(Seen(step: 1))
        Task(executorPreference: test.flux.environment?.executor) {
          await Task.yield()
          await Task.yield()
          test.dispatcher.dispatch(Close())
        }
        await test.settle()
        test.verify(shop.state.count >= 0, "an action came after the end: \(shop.state.count)")
        test.verify(screen.state.count >= 0, "a mix came after the end: \(screen.state.count)")
        test.dispatcher.unregisterAll()
      }
    }
    #expect(result.failingOrder == nil)
    #expect(result.runs == runs || result.isComplete)
  }

  @Test func `an inspection lists running work with its place, and nothing after its end`() async {
    let flux = Flux()
    let inspection = Inspection(of: flux)
    let screen = made(Screen(open: Screen.Card(id: 1)), in: flux)
    let before = flux.inspect()
    screen.whilePresent(\.open, fileID: "Shop/Screen.swift", line: 12) { _ in
      try await Task.sleep(for: .seconds(3_600))
    }
    let work = flux.inspect().entries(.work)
    #expect(work.map(\.description) == ["work on screen, made at Shop/Screen.swift:12"])
    #expect(work.allSatisfy { $0.age >= .zero })
    screen.mix { $0.open = nil }
    #expect(flux.inspect().entries(.work).isEmpty)
    #expect(before.difference(to: flux.inspect()).appeared.isEmpty)
    withExtendedLifetime(inspection) {}
  }
}
