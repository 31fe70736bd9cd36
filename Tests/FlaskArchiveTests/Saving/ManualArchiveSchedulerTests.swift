import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

@Suite struct ManualArchiveSchedulerTests {
  private let clock = ManualArchiveScheduler()
  private let heard = Recorder<String>()

  @Test func `Timers are performed in the order of their instants, each with the clock at its own`() {
    for second in [5, 2, 8, 3, 2] { note("\(second)", at: .seconds(second)) }
    clock.advance(by: .seconds(5))
    #expect(
      heard.all == ["2 at 2.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds", "5 at 5.0 seconds"]
    )
    clock.advance(by: .seconds(3))
    #expect(heard.all.last == "8 at 8.0 seconds")
  }

  @Test func `A timer of the past is performed by the next move, and the clock does not go back`() {
    clock.advance(by: .seconds(10))
    note("late", at: .seconds(1))
    #expect(heard.all == [])
    clock.advance(by: .zero)
    #expect(heard.all == ["late at 10.0 seconds"])
  }

  @Test func `What a timer sets falls due in the same move`() {
    clock.wake(at: .seconds(1)) { [clock, heard] in
      clock.wake(at: clock.now + .seconds(1)) { heard.append("\(clock.now)") }
    }
    clock.advance(by: .seconds(3))
    #expect(heard.all == ["2.0 seconds"])
    #expect(clock.now == .seconds(3))
  }

  @Test func `A timer that moves the clock on leaves it there`() {
    clock.wake(at: .seconds(1)) { [clock] in clock.advance(by: .seconds(9)) }
    clock.advance(by: .seconds(2))
    #expect(clock.now == .seconds(10))
  }

  private func note(_ text: String, at instant: Duration) {
    clock.wake(at: instant) { [clock, heard] in heard.append("\(text) at \(clock.now)") }
  }
}
