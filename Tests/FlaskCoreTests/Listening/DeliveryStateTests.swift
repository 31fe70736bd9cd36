import Testing

@testable import FlaskCore

/// What happens to the pending commits of a listener, without threads: the commits are numbers.
struct DeliveryStateTests {
  private var state = DeliveryState<Int>()

  private func listener(on isolation: (any Actor)? = nil) -> Listener {
    Listener(isolation: HandlerIsolation(isolation))
  }

  private mutating func append(_ numbers: Int..., isDirect: Bool = false) -> [Bool] {
    numbers.map { state.append($0, isDirect: isDirect, budget: 3) }
  }

  private mutating func deliverAll() -> [Int] {
    var delivered: [Int] = []
    while let next = state.next() { delivered.append(next.commit) }
    return delivered
  }

  @Test mutating func `pending commits are delivered in order, by one thread`() {
    _ = state.setListener(listener())
    let beginsEmpty = state.begin()
    #expect(!beginsEmpty)
    _ = append(1, 2)
    let begins = [state.begin(), state.begin()]
    #expect(begins == [true, false])
    let first = state.next()
    _ = append(3)
    let delivered = deliverAll()
    #expect(first?.commit == 1 && delivered == [2, 3])
    #expect(!state.isDelivering)
    _ = append(4)
    let beginsAgain = state.begin()
    #expect(beginsAgain)
  }

  @Test mutating func `a commit during a direct delivery belongs to its thread`() {
    _ = state.setListener(listener())
    _ = append(1, isDirect: true)
    let begins = state.begin()
    #expect(!begins)
    let needsTask = state.schedule(.medium, evenDuringDelivery: false)
    #expect(!needsTask)
    #expect(deliverAll() == [1])
    #expect(!state.isDelivering)
  }

  @Test mutating func `a backlog is reported once`() {
    _ = state.setListener(listener())
    let reports = append(1, 2, 3, 4)
    #expect(reports == [false, false, true, false])
    _ = deliverAll()
    let later = append(1, 2, 3)
    #expect(later == [false, false, false])
  }

  @Test mutating func `without a listener pending commits are dropped, and its later ones are not accepted`()
  {
    let old = listener()
    _ = state.setListener(old)
    _ = append(1, 2)
    #expect(state.accepts(old))
    let (former, dropped) = state.setListener(nil)
    #expect(former === old && dropped == [1, 2])
    #expect(state.isEmpty && !state.accepts(old))
    let new = listener()
    _ = state.setListener(new)
    #expect(state.accepts(new) && !state.accepts(old))
  }

  @Test mutating func `a commit that was taken before a drop is not delivered after it`() {
    _ = state.setListener(listener())
    _ = append(1, 2)
    _ = state.begin()
    let taken = state.next()
    _ = state.setListener(nil)
    _ = state.setListener(listener())
    #expect(taken?.commit == 1)
    #expect(state.listener(since: taken?.dropCount ?? -1) == nil)
    state.putBack(1, since: taken?.dropCount ?? -1)
    #expect(state.isEmpty && !state.isDelivering)
  }

  @Test mutating func `a commit that is put back comes first`() {
    _ = state.setListener(listener())
    _ = append(1, 2)
    _ = state.begin()
    let taken = state.next()
    state.putBack(1, since: taken?.dropCount ?? -1)
    let begins = state.begin()
    #expect(begins)
    #expect(deliverAll() == [1, 2])
  }

  @Test mutating func `one task is scheduled, and another one for a higher priority`() {
    _ = state.setListener(listener())
    let needless = state.schedule(.medium, evenDuringDelivery: false)
    #expect(!needless)
    _ = append(1)
    let asked = [TaskPriority.medium, .low, .medium, .high, .high].map {
      state.schedule($0, evenDuringDelivery: false)
    }
    #expect(asked == [true, false, false, true, false])
    state.taskBegan()
    let again = state.schedule(.low, evenDuringDelivery: false)
    #expect(again)
  }

  @Test mutating func `during a delivery no task is scheduled, except on the main actor`() {
    _ = state.setListener(listener())
    _ = append(1, 2)
    _ = state.begin()
    let asked = [false, true].map { state.schedule(.medium, evenDuringDelivery: $0) }
    #expect(asked == [false, true])
  }

  @Test mutating func `a listener that comes after none on another isolation gets a task of its own`() {
    _ = state.setListener(listener(on: MainActor.shared))
    _ = append(1)
    let first = state.schedule(.medium, evenDuringDelivery: false)
    _ = state.setListener(nil)
    _ = state.setListener(listener())
    _ = append(2)
    let second = state.schedule(.medium, evenDuringDelivery: false)
    #expect([first, second] == [true, true])
  }

  @Test mutating func `what a gone isolation leaves is dropped, unless another listener was set`() {
    let gone = listener(on: MainActor.shared)
    _ = state.setListener(gone)
    _ = append(1)
    let new = listener()
    _ = state.setListener(new)
    let kept = state.drop(of: gone)
    #expect(kept == nil && state.accepts(new))
    let dropped = state.drop(of: new)
    #expect(dropped == [1] && !state.accepts(new))
  }

  @Test
  mutating func `a replaced listener's commits go to the next one, also after a drop during a delivery`() {
    let (old, new, last) = (listener(), listener(), listener())
    _ = state.setListener(old)
    _ = append(1)
    _ = state.setListener(new)
    #expect(state.accepts(old))
    _ = state.begin()
    let first = state.next()
    #expect(first?.listener === new)
    #expect(state.listener(since: first?.dropCount ?? -1) === new)
    _ = state.setListener(nil)
    _ = state.setListener(last)
    _ = append(2)
    let second = state.next()
    #expect(second?.commit == 2 && second?.listener === last)
    #expect(state.listener(since: second?.dropCount ?? -1) === last)
  }

  @Test mutating func `a listener on another isolation gets a task of its own`() {
    _ = state.setListener(listener(on: MainActor.shared))
    _ = append(1)
    let first = state.schedule(.medium, evenDuringDelivery: false)
    _ = state.setListener(listener(on: MainActor.shared))
    let same = state.schedule(.medium, evenDuringDelivery: false)
    _ = state.setListener(listener())
    let other = state.schedule(.medium, evenDuringDelivery: false)
    #expect([first, same, other] == [true, false, true])
  }
}
