@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures

struct EffectTableTests {
  private let owner = Owner()
  private let id = 1
  private let group = EffectTable.Group(identifier: 1, holder: .shared("all"))

  private func entry(
    _ run: Int,
    _ pace: FluxEffectPace = .immediate,
    _ policy: FluxEffectPolicy = .concurrent,
    of owner: Owner? = nil,
    in middleware: Owner? = nil,
    parent: Int? = nil
  ) -> EffectTable.Entry {
    EffectTable.Entry(
      run: run,
      group: group,
      owner: ObjectIdentifier(owner ?? self.owner),
      middleware: ObjectIdentifier(middleware ?? owner ?? self.owner),
      parent: parent,
      policy: policy,
      pace: pace
    )
  }

  private func table() -> EffectTable {
    var table = EffectTable()
    table.own(ObjectIdentifier(owner))
    return table
  }

  @Test func `a debounced effect takes the place of the one that waits`() {
    var table = table()
    let span = FluxEffectPace.debounce(.seconds(1))
    #expect(table.add(entry(1, span)) == [.startTimer(1, run: 1, .seconds(1))])
    #expect(
      table.add(entry(2, span)) == [.drop(1), .cancelTimer(1), .startTimer(2, run: 2, .seconds(1))]
    )
    #expect(table.fired(1, of: group) == [])
    #expect(table.fired(2, of: group) == [.start(2)])
  }

  @Test func `a throttled effect opens a span, in which the last one waits`() {
    var table = table()
    let span = FluxEffectPace.throttle(.seconds(1))
    #expect(table.add(entry(1, span)) == [.startTimer(1, run: 1, .seconds(1)), .start(1)])
    #expect(table.add(entry(2, span)) == [])
    #expect(table.add(entry(3, span)) == [.drop(2)])
    #expect(table.fired(1, of: group) == [.startTimer(4, run: 3, .seconds(1)), .start(3)])
    #expect(table.ended(1, of: group) == [])
    #expect(table.ended(3, of: group) == [])
    #expect(table.fired(4, of: group) == [])
    #expect(table.isIdle)
  }

  @Test func `cancelling ends a span too`() {
    var table = table()
    _ = table.add(entry(1, .debounce(.seconds(1))))
    #expect(table.cancel(id, of: .all) == [.drop(1), .cancelTimer(1)])
    #expect(table.isIdle)
  }

  @Test func `effects of a worker that is not registered are dropped`() {
    var table = EffectTable()
    #expect(table.add(entry(1, .immediate)) == [.drop(1)])
  }

  @Test func `a worker that goes takes its effects along, and leaves those of others`() {
    let other = Owner()
    var table = table()
    table.own(ObjectIdentifier(other))
    _ = table.add(entry(1, .immediate))
    _ = table.add(entry(2, of: other))
    #expect(table.disown(ObjectIdentifier(owner)) == [.cancel(1)])
    #expect(table.add(entry(3, .immediate)) == [.drop(3)])
  }

  @Test func `a closed table accepts nothing`() {
    var table = table()
    _ = table.add(entry(1, .immediate))
    #expect(table.close() == [.cancel(1)])
    #expect(table.add(entry(2, .immediate)) == [.drop(2)])
  }

  @Test func `a middleware that cancels leaves the effects of others`() {
    let other = Owner()
    var table = table()
    _ = table.add(entry(1, in: owner))
    _ = table.add(entry(2, in: other))
    _ = table.add(entry(3, .debounce(.seconds(1)), in: other))
    #expect(table.cancel(id, of: .middleware(ObjectIdentifier(owner))) == [.cancel(1)])
    #expect(
      table.cancel(id, of: .middleware(ObjectIdentifier(other))) == [.cancel(2), .drop(3), .cancelTimer(3)]
    )
  }

  @Test func `a span ends with the worker that opened it, unless another waits for it`() {
    let other = Owner()
    let span = FluxEffectPace.throttle(.seconds(1))
    var table = table()
    table.own(ObjectIdentifier(other))
    _ = table.add(entry(1, span))
    #expect(table.disown(ObjectIdentifier(owner)) == [.cancel(1), .cancelTimer(1)])
    _ = table.ended(1, of: group)
    table.own(ObjectIdentifier(owner))
    _ = table.add(entry(2, span))
    _ = table.ended(2, of: group)
    _ = table.add(entry(3, span, of: other))
    #expect(table.disown(ObjectIdentifier(owner)) == [])
    #expect(table.fired(4, of: group) == [.startTimer(8, run: 3, .seconds(1)), .start(3)])
  }

  @Test func `an effect that is ignored opens no span`() {
    var table = table()
    _ = table.add(entry(1))
    #expect(table.add(entry(2, .throttle(.seconds(1)), .exhaust)) == [.drop(2)])
    _ = table.ended(1, of: group)
    #expect(
      table.add(entry(3, .throttle(.seconds(1)), .exhaust)) == [
        .startTimer(4, run: 3, .seconds(1)), .start(3),
      ]
    )
  }

  @Test func `an effect that comes later is not cancelled by one that waited`() {
    var table = table()
    _ = table.add(entry(1, .debounce(.seconds(1)), .latest))
    #expect(table.add(entry(2)) == [.start(2)])
    #expect(table.fired(1, of: group) == [.start(1)])
  }

  @Test func `what an effect leads to is dropped if both have been cancelled meanwhile`() {
    let other = Owner()
    var table = table()
    _ = table.add(entry(1))
    _ = table.add(entry(2, in: other))
    #expect(table.add(entry(3, parent: 1)) == [.start(3)])
    _ = table.cancel(id, of: .middleware(ObjectIdentifier(owner)))
    #expect(table.add(entry(4, parent: 1)) == [.drop(4)])
    #expect(table.add(entry(5, in: other, parent: 1)) == [.start(5)])
    #expect(table.add(entry(6, parent: 2)) == [.start(6)])
    #expect(table.add(entry(7)) == [.start(7)])
  }

  @Test func `what an effect leads to begins if the effect was only replaced`() {
    var table = table()
    _ = table.add(entry(1))
    #expect(table.add(entry(2, .immediate, .latest, parent: 1)) == [.cancel(1), .start(2)])
    #expect(table.add(entry(3, .immediate, .latest, parent: 1)) == [.cancel(2), .start(3)])
    _ = table.cancel(id, of: .all)
    #expect(table.add(entry(4, .immediate, .latest, parent: 1)) == [.drop(4)])
  }

  @Test func `a table is idle again when everything has ended`() {
    var table = table()
    for run in 1...1_000 {
      _ = table.add(entry(run, .immediate, .queue))
      _ = table.add(entry(run + 1_000, .throttle(.seconds(1)), .latest))
    }
    _ = table.cancel(id, of: .all)
    #expect(!table.isIdle)
    for run in 1...2_000 { _ = table.ended(run, of: group) }
    #expect(table.isIdle)
  }
}
