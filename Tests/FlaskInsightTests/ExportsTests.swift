import FlaskInsight
import Testing

@Suite struct ExportsTests {
  @Test func `what an app is made of comes with it`() {
    let counter = Substance(1)
    counter.mix { $0 += 1 }
    #expect(counter.state == 2)
  }
}
