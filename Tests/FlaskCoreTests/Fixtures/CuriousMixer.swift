import FlaskCore

/// A mixer whose raw value asks the flux something.
struct CuriousMixer: RawRepresentable, Sendable {
  let flux: Flux

  init(flux: Flux) { self.flux = flux }
  init?(rawValue: SubstanceMixer) { nil }

  var rawValue: SubstanceMixer { "waiting\(flux.waitingCount)" }
}
