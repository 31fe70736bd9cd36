import Synchronization
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct SequenceTests {
  private let profile = Substance(Profile())

  @Test func `values begin with what is there, and continue with each change`() async {
    var values = profile.values(of: \.list).makeAsyncIterator()
    #expect(await values.next() == [])
    profile.mix { $0.list = [1] }
    #expect(await values.next() == [1])
    profile.mix { $0.info.title = "x" }
    profile.mix { $0.list = [2] }
    #expect(await values.next() == [2])
  }

  @Test func `several key paths give the values of one commit`() async {
    var values = profile.values(of: \.list, \.info.title).makeAsyncIterator()
    profile.mix {
      $0.list = [1]
      $0.info.title = "x"
    }
    let first = await values.next()
    #expect(first?.0 == [1])
    #expect(first?.1 == "x")
  }

  @Test func `a slow reader gets the newest value`() async {
    var values = profile.values(of: \.list).makeAsyncIterator()
    for count in 1...10 { profile.mix { $0.list = [count] } }
    #expect(await values.next() == [10])
    profile.mix { $0.list = [11] }
    #expect(await values.next() == [11])
  }

  @Test func `a reader that waits is given the next change`() async {
    let values = profile.values(of: \.list)
    let begun = Signal()
    let reader = Task {
      var seen: [[Int]] = []
      for await list in values {
        seen.append(list)
        begun.fire()
        if list == [3] { break }
      }
      return seen
    }
    await begun.wait()
    profile.mix { $0.list = [3] }
    #expect(await reader.value == [[], [3]])
  }

  @Test func `changes are all commits, with both states and the keys`() async {
    var changes = profile.changes().makeAsyncIterator()
    profile.mix { $0.list = [1] }
    profile.mix { $0._cache = 1 }
    profile.mix { $0.list = [1] }
    profile.mix {
      $0.list = [2]
      $0.scores["bob"] = 5
    }
    let first = await changes.next()
    #expect(first?.old.list == [])
    #expect(first?.new.list == [1])
    #expect(first?.keys == ["list"])
    #expect(first?.description == "- list: []\n+ list: [1]")
    let second = await changes.next()
    #expect(second?.old.list == [1])
    #expect(second?.old._cache == 1)
    #expect(second?.new.list == [2])
    #expect(second?.keys == ["scores", "scores.bob", "list"])
    #expect(second?.contains("scores.bob") == true)
    #expect(second?.contains("scores.eve") == false)
    #expect(second?.contains("info.title") == false)
    #expect(second?.contains(\.list) == true)
    #expect(second?.contains(\.info.title) == false)
    #expect(second?.change(at: \.scores["bob"])?.new == 5)
  }

  @Test func `no commit is dropped, however slow the reader is, and they stay as they were`() async {
    let tally = Substance(Tally())
    let iterator = tally.changes()
    let begun = Signal()
    let count = Workload.count(1_000, full: 20_000)
    let reader = Task {
      var changes = iterator.makeAsyncIterator()
      begun.fire()
      var next = 0
      while next < count, let change = await changes.next() {
        guard change.old.counter == next, change.new.counter == next + 1 else { return next }
        next += 1
      }
      return next
    }
    await begun.wait()
    await OtherThread.run { for _ in 0..<count { tally.mix { $0.counter += 1 } } }
    #expect(await reader.value == count)
    _ = FaultLog.takeKinds()
  }

  @Test func `a reader of changes that does not keep up is reported once`() async {
    let tally = Substance(Tally())
    var changes = tally.changes().makeAsyncIterator()
    for _ in 0..<20_001 { tally.mix { $0.counter += 1 } }
    #expect(FaultLog.takeKinds() == [.backlog])
    #expect(await changes.next()?.new.counter == 1)
  }

  @Test func `each iterator has its own place`() async {
    let changes = profile.changes()
    var first = changes.makeAsyncIterator()
    profile.mix { $0.list = [1] }
    var second = changes.makeAsyncIterator()
    profile.mix { $0.list = [2] }
    #expect(await first.next()?.new.list == [1])
    #expect(await second.next()?.new.list == [2])
    #expect(await first.next()?.new.list == [2])
  }

  @Test func `both end with the task that reads them`() async {
    let (values, changes) = (profile.values(of: \.list), profile.changes())
    let begun = Signal()
    let readers = [
      Task {
        for await _ in values { begun.fire() }
        return Task.isCancelled
      },
      Task {
        for await _ in changes {}
        return Task.isCancelled
      },
    ]
    await begun.wait()
    for reader in readers { reader.cancel() }
    for reader in readers { #expect(await reader.value) }
  }

  @Test func `both end with the substance, which they do not hold, after what waits`() async {
    weak var gone: Substance<Profile>?
    let values: StateValues<[Int]>
    var (first, second): (StateValues<[Int]>.Iterator, StateCommits<Profile>.Iterator)
    do {
      let substance = Substance(Profile())
      gone = substance
      values = substance.values(of: \.list)
      first = values.makeAsyncIterator()
      second = substance.changes().makeAsyncIterator()
      substance.mix { $0.list = [1] }
      substance.mix { $0.list = [2] }
    }
    #expect(gone == nil)
    #expect(await first.next() == [2])
    #expect(await first.next() == nil)
    #expect(await second.next()?.new.list == [1])
    #expect(await second.next()?.new.list == [2])
    #expect(await second.next() == nil)
    var late = values.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `a reader that waits continues when the substance goes`() async {
    let begun = Signal()
    var substance: Substance<Profile>? = Substance(Profile())
    let reader = substance.map { substance in
      let values = substance.values(of: \.list)
      return Task {
        var count = 0
        for await _ in values {
          count += 1
          begun.fire()
        }
        return count
      }
    }
    await begun.wait()
    substance = nil
    #expect(await reader?.value == 1)
  }

  @Test func `an iterator that is released holds nothing, and no one listens any more`() async {
    final class Held: Sendable {}
    struct Holding: Sendable { var held: Held? }
    let substance = Substance(Holding())
    weak var gone: Held?
    do {
      var values = substance.values(of: \.held).makeAsyncIterator()
      let changes = substance.changes().makeAsyncIterator()
      let held = Held()
      gone = held
      substance.mix { $0.held = held }
      _ = await values.next()
      withExtendedLifetime(changes) {}
    }
    substance.mix { $0.held = nil }
    substance.mix { $0.held = nil }
    #expect(gone == nil)
    #expect(substance.cell.listeners.isEmpty)
  }

  @Test func `a hundred thousand sequences that are made and dropped leave no one listening`() async {
    for number in 0..<Workload.count(10_000, full: 100_000) {
      var values = profile.values(of: \.list, \.info.title).makeAsyncIterator()
      let changes = profile.changes().makeAsyncIterator()
      if number % 100 == 0 {
        profile.mix { $0.list = [number] }
        _ = await values.next()
      }
      withExtendedLifetime(changes) {}
    }
    #expect(profile.cell.listeners.isEmpty)
  }
}
