import FlaskCore

/// A state that takes a while to encode.
struct LedgerState: FlaskState {
  var count = 0
  var entries = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("entry \($0)", $0) })
}

/// Saved 10 ms after its last change.
final class Ledger: Substance<LedgerState>, @unchecked Sendable {
  override func archiveDelay() -> Double { 0.01 }
}
