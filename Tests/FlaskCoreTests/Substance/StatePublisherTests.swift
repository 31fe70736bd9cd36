import Testing

@testable import FlaskCore
@testable import KernelFixtures

private final class Attached: Sendable {}

@Suite(.ownFlux) struct StatePublisherTests {
  @Test func `what belongs to a publisher is made once, and who made it is notified`() {
    let publisher = Substance(1).publisher
    let (first, isNew) = publisher.attachment { Attached() }
    let (second, isNewAgain) = publisher.attachment { Attached() }
    #expect(first === second)
    #expect(isNew && !isNewAgain)
  }
}
