import FlaskTesting
import Testing

@Suite struct WithTestFluxTests {
  @Test func `an error ends the flux of a test that waits for nothing, too`() {
    var flux: Flux?
    #expect(throws: Spoilt.self) {
      try withTestFlux { test in
        flux = test.flux
        _ = Flask.lock()
        throw Spoilt()
      }
    }
    #expect(flux?.locks.isEmpty == true)
  }
}
