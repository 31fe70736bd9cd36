import Testing

@testable import FlaskCore

/// What happens to one generation of a tracked key, without threads and without Observation.
struct TrackedKeyStateTests {
  private var state = TrackedKeyState()

  /// The hash of a closure that registers itself.
  private mutating func register() -> Bool { state.wasHashed(byAnnouncer: false) }

  private mutating func announceAll() {
    state.beginAnnouncing()
    state.endAnnouncing()
  }

  @Test mutating func `a change is announced once, and only if a closure has read the key`() {
    let expiresUnread = state.expire()
    #expect(!expiresUnread && !state.isArmed && !state.isStale)
    let registers = [register(), register()]
    #expect(registers == [false, false] && state.isArmed && !state.isStale)
    let expires = [state.expire(), state.expire()]
    #expect(expires == [true, false] && state.isArmed && state.isStale)
  }

  @Test mutating func `the hash by which the announcer searches is no closure`() {
    _ = register()
    _ = state.expire()
    state.beginAnnouncing()
    let isScheduled = state.wasHashed(byAnnouncer: true)
    state.endAnnouncing()
    #expect(!isScheduled)
    let isRenewed = state.renew()
    #expect(isRenewed && state == TrackedKeyState())
  }

  private enum Moment: CaseIterable { case beforeAnnouncement, duringAnnouncement, afterAnnouncement }

  @Test(arguments: Moment.allCases)
  private mutating func `a closure that registers after the change gets one more announcement`(
    at moment: Moment
  ) {
    _ = register()
    _ = state.expire()
    var isScheduled: [Bool] = []
    if moment == .beforeAnnouncement { isScheduled = [register(), register()] }
    state.beginAnnouncing()
    if moment == .duringAnnouncement { isScheduled = [register(), register()] }
    state.endAnnouncing()
    if moment == .afterAnnouncement { isScheduled = [register(), register()] }
    #expect(isScheduled == [true, false])
    let begins = state.beginAnnouncingAgain()
    state.endAnnouncing()
    let isRenewed = state.renew()
    #expect(begins && isRenewed)
  }

  @Test mutating func `one more announcement waits for the one before it`() {
    _ = register()
    _ = state.expire()
    _ = register()
    let beginsFirst = state.beginAnnouncingAgain()
    state.beginAnnouncing()
    let beginsBeside = state.beginAnnouncingAgain()
    state.endAnnouncing()
    let begins = state.beginAnnouncingAgain()
    #expect([beginsFirst, beginsBeside, begins] == [false, false, true])
  }

  @Test mutating func `a closure that registers during one more announcement gets another one`() {
    _ = register()
    _ = state.expire()
    announceAll()
    _ = register()
    _ = state.beginAnnouncingAgain()
    let isScheduled = [register(), register()]
    state.endAnnouncing()
    #expect(isScheduled == [true, false])
    let begins = state.beginAnnouncingAgain()
    #expect(begins)
  }

  @Test mutating func `a key with an announcement to come is not used for the next generation`() {
    _ = register()
    _ = state.expire()
    state.beginAnnouncing()
    let isRenewedMeanwhile = state.renew()
    state.endAnnouncing()
    _ = register()
    let isRenewedBefore = state.renew()
    _ = state.beginAnnouncingAgain()
    let isRenewedDuring = state.renew()
    state.endAnnouncing()
    #expect(!isRenewedMeanwhile && !isRenewedBefore && !isRenewedDuring && state.isStale)
    let isRenewed = state.renew()
    #expect(isRenewed && !state.isArmed && !state.isStale)
  }

  @Test mutating func `each state is its byte`() {
    var states: [TrackedKeyState] = [state]
    func note(_ state: TrackedKeyState) { if !states.contains(state) { states.append(state) } }
    _ = register()
    note(state)
    _ = state.expire()
    note(state)
    _ = register()
    note(state)
    state.beginAnnouncing()
    note(state)
    state.endAnnouncing()
    note(state)
    _ = state.beginAnnouncingAgain()
    note(state)
    state.endAnnouncing()
    note(state)
    #expect(states.count == 8)
    #expect(states.map { TrackedKeyState(rawValue: $0.rawValue) } == states)
    #expect(TrackedKeyState(rawValue: 10) == nil)
  }
}
