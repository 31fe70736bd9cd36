import FlaskInsight
import Testing

@Suite struct ExportsTests {
  @Test func `what an app is made of comes with it`() {
    // The shared flux may be busy with what another test does.
    let counter = Flux.$current.withValue(Flux()) { Substance(1) }
    counter.mix { $0 += 1 }
    #expect(counter.state == 2)
  }
}
