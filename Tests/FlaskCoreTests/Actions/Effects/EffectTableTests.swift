import Testing

@testable import FlaskCore

struct EffectTableTests {
  private let owner = Owner()
  private let id = EffectID("x")

  private func offer(_ run: Int, _ pace: FluxEffectPace, _ policy: FluxEffectPolicy = .concurrent)
    -> EffectOffer
  {
    EffectOffer(run: run, id: id, owner: ObjectIdentifier(owner), policy: policy, pace: pace)
  }

  private func table() -> EffectTable {
    var table = EffectTable()
    table.own(ObjectIdentifier(owner))
    return table
  }

  @Test func `a debounced effect takes the place of the one that waits`() {
    var table = table()
    let span = FluxEffectPace.debounce(.seconds(1))
    #expect(table.offer(offer(1, span)) == [.startTimer(1, run: 1, id: id, .seconds(1))])
    #expect(
      table.offer(offer(2, span)) == [.drop(1), .cancelTimer(1), .startTimer(2, run: 2, id: id, .seconds(1))]
    )
    #expect(table.fired(1, of: id) == [])
    #expect(table.fired(2, of: id) == [.start(2)])
  }

  @Test func `a throttled effect opens a span, in which the last one waits`() {
    var table = table()
    let span = FluxEffectPace.throttle(.seconds(1))
    #expect(table.offer(offer(1, span)) == [.startTimer(1, run: 1, id: id, .seconds(1)), .start(1)])
    #expect(table.offer(offer(2, span)) == [])
    #expect(table.offer(offer(3, span)) == [.drop(2)])
    #expect(table.fired(1, of: id) == [.startTimer(4, run: 3, id: id, .seconds(1)), .start(3)])
    #expect(table.ended(1, of: id) == [])
    #expect(table.ended(3, of: id) == [])
    #expect(table.fired(4, of: id) == [])
    #expect(table.isIdle)
  }

  @Test func `cancelling ends a span too`() {
    var table = table()
    _ = table.offer(offer(1, .debounce(.seconds(1))))
    #expect(table.cancel(id) == [.drop(1), .cancelTimer(1)])
    #expect(table.isIdle)
  }

  @Test func `effects of a worker that is not registered are dropped`() {
    var table = EffectTable()
    #expect(table.offer(offer(1, .immediate)) == [.drop(1)])
  }

  @Test func `a worker that goes takes its effects along, and leaves those of others`() {
    let other = Owner()
    var table = table()
    table.own(ObjectIdentifier(other))
    _ = table.offer(offer(1, .immediate))
    _ = table.offer(
      EffectOffer(run: 2, id: id, owner: ObjectIdentifier(other), policy: .concurrent, pace: .immediate)
    )
    #expect(table.disown(ObjectIdentifier(owner)) == [.cancel(1)])
    #expect(table.offer(offer(3, .immediate)) == [.drop(3)])
  }

  @Test func `a closed table accepts nothing`() {
    var table = table()
    _ = table.offer(offer(1, .immediate))
    #expect(table.close() == [.cancel(1)])
    #expect(table.offer(offer(2, .immediate)) == [.drop(2)])
  }
}
