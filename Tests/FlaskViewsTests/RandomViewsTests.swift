import FlaskViews
import Testing

/// Random programs of commits, beside lists that are filtered and sorted by hand after each.
@Suite(.ownFlux) struct RandomViewsTests {
  @Test(arguments: 0..<200)
  func `views are equal to lists computed by hand, and so are tables that apply the changes`(seed: Int) {
    var program = ViewProgram(seed: seed)
    for _ in 0..<30 {
      program.step()
      if let difference = program.difference() {
        Issue.record("seed \(seed): \(difference)")
        return
      }
    }
  }
}
