import FlaskTesting
import Testing

@Test func `who tests an app has the app's own vocabulary, too`() {
  let flux = Flux()
  #expect(flux.waitingCount == 0)
}
