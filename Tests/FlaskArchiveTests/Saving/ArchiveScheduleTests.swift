import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct ArchiveScheduleTests {
  private var schedule = ArchiveSchedule(delay: .seconds(2), cap: .seconds(10))

  @Test mutating func `A change is written when the delay has passed`() {
    #expect(schedule.changed(at: .seconds(1)) == .seconds(3))
    #expect(schedule.wokeUp(from: .seconds(3), at: .seconds(3)) == .write)
  }

  @Test mutating func `A later change puts the write off, and sets no other timer`() {
    #expect(schedule.changed(at: .seconds(1)) == .seconds(3))
    #expect(schedule.changed(at: .seconds(2)) == nil)
    #expect(schedule.wokeUp(from: .seconds(3), at: .seconds(3)) == .sleep(until: .seconds(4)))
    #expect(schedule.wokeUp(from: .seconds(4), at: .seconds(4)) == .write)
  }

  @Test
  mutating func
    `A thread that has read the clock before another one, and comes after it, is no earlier change`()
  {
    _ = schedule.changed(at: .seconds(2))
    _ = schedule.changed(at: .seconds(1))
    #expect(schedule.lastChange == .seconds(2))
  }

  @Test mutating func `Under steady change the cap writes`() {
    var alarm = schedule.changed(at: .zero)
    for second in 1...9 {
      let now = Duration.seconds(second)
      #expect(schedule.changed(at: now) == nil)
      guard let instant = alarm, instant <= now else { continue }
      guard case .sleep(let next) = schedule.wokeUp(from: instant, at: now) else {
        Issue.record("wrote at \(now)")
        return
      }
      alarm = next
    }
    #expect(alarm == .seconds(10))
    #expect(schedule.wokeUp(from: .seconds(10), at: .seconds(10)) == .write)
  }

  @Test mutating func `After a write that took everything the timer rests`() {
    _ = schedule.changed(at: .zero)
    schedule.beginWriting()
    #expect(schedule.endWriting(.saved, at: .seconds(1)) == nil)
    #expect(!schedule.isPending)
    #expect(schedule.wokeUp(from: .seconds(2), at: .seconds(2)) == .rest)
  }

  @Test mutating func `A change during a write is pending after it`() {
    _ = schedule.changed(at: .zero)
    _ = schedule.wokeUp(from: .seconds(2), at: .seconds(2))
    schedule.beginWriting()
    #expect(schedule.changed(at: .seconds(3)) == .seconds(5))
    #expect(schedule.endWriting(.saved, at: .seconds(4)) == nil)
    #expect(schedule.isPending)
    #expect(schedule.wokeUp(from: .seconds(5), at: .seconds(5)) == .write)
  }

  @Test mutating func `A write that failed is tried again when the cap has passed`() {
    _ = schedule.changed(at: .zero)
    _ = schedule.wokeUp(from: .seconds(2), at: .seconds(2))
    schedule.beginWriting()
    #expect(schedule.endWriting(.failed, at: .seconds(3)) == .seconds(13))
    #expect(schedule.isPending)
    #expect(schedule.changed(at: .seconds(4)) == nil)
    #expect(schedule.wokeUp(from: .seconds(13), at: .seconds(13)) == .write)
  }

  @Test mutating func `After a save by hand the delay counts again, whatever failed before`() {
    _ = schedule.changed(at: .zero)
    _ = schedule.wokeUp(from: .seconds(2), at: .seconds(2))
    schedule.beginWriting()
    #expect(schedule.endWriting(.failed, at: .seconds(3)) == .seconds(13))
    schedule.beginWriting()
    _ = schedule.endWriting(.saved, at: .seconds(4))
    #expect(schedule.changed(at: .seconds(5)) == .seconds(7))
    #expect(schedule.wokeUp(from: .seconds(7), at: .seconds(7)) == .write)
    schedule.beginWriting()
    _ = schedule.endWriting(.saved, at: .seconds(7))
    #expect(schedule.changed(at: .seconds(12)) == .seconds(14))
    #expect(schedule.wokeUp(from: .seconds(13), at: .seconds(13)) == .rest)
    #expect(schedule.wokeUp(from: .seconds(14), at: .seconds(14)) == .write)
  }

  @Test mutating func `A write that was abandoned is not tried again`() {
    _ = schedule.changed(at: .zero)
    schedule.beginWriting()
    #expect(schedule.endWriting(.abandoned, at: .seconds(1)) == nil)
    #expect(!schedule.isPending)
  }

  @Test mutating func `What was dropped is not written`() {
    _ = schedule.changed(at: .zero)
    schedule.drop()
    #expect(schedule.wokeUp(from: .seconds(2), at: .seconds(2)) == .rest)
  }

  @Test func `The cap is never shorter than the delay, and the delay never negative`() {
    var slow = ArchiveSchedule(delay: .seconds(30), cap: .seconds(10))
    #expect(slow.changed(at: .zero) == .seconds(30))
    var eager = ArchiveSchedule(delay: .seconds(-1), cap: .seconds(10))
    #expect(eager.changed(at: .seconds(5)) == .seconds(5))
  }

  @Test(arguments: [
    (2.0, Duration.seconds(2)), (0, .zero), (-1, .zero), (.nan, .seconds(2)),
    (.infinity, .seconds(31_536_000)),
    (0.25, .milliseconds(250)),
  ])
  func `Any number a user gives is a delay`(seconds: Double, delay: Duration) {
    #expect(Duration.archiveDelay(seconds: seconds) == delay)
  }
}
