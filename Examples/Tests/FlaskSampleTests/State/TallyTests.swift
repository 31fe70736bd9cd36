import Testing

@testable import FlaskSample

struct TallyTests {
  @Test(arguments: [(14, 0), (15, 1), (-15, 0)])
  func `Late is fifteen minutes or more`(_ delay: Int, _ late: Int) {
    var tally = Tally()
    tally.count(Sample.flight(delay: delay))
    #expect(tally.late == late)
  }

  @Test func `A cancelled flight has no part in the mean`() {
    var tally = Tally()
    tally.count(Sample.flight(delay: 10))
    tally.count(Sample.flight())
    #expect(tally.delay.mean == 10)
  }

  @Test func `The worst of early departures is the least early`() {
    var tally = Tally()
    tally.count(Sample.flight(delay: -7))
    tally.count(Sample.flight(delay: -3))
    #expect(tally.delay.worst == -3)
  }

  @Test func `The mean is rounded to a tenth and never a negative zero`() {
    var tally = Tally()
    for _ in 0..<99 { tally.count(Sample.flight(delay: 0)) }
    tally.count(Sample.flight(delay: -1))
    #expect(tally.delay.mean.map { "\($0)" } == "0.0")
  }
}
