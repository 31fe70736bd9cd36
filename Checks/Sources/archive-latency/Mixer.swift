import FlaskArchive
import FlaskCore

/// Mixes, and keeps the time of the longest mix.
final class Mixer {
  private static let burst = 500

  private let ledger: Ledger
  private let isInline: Bool
  private let owner = Owner()
  private let reactor: Reactor<Owner>

  private(set) var count = 0
  /// In microseconds.
  private(set) var longest: Int64 = 0

  init(_ ledger: Ledger, isInline: Bool) {
    self.ledger = ledger
    self.isInline = isInline
    reactor = Flask.reactor(attachedTo: owner, mixing: [ledger]) { _, _ in }
  }

  func mixBurst() {
    for number in 1...Self.burst {
      let count = count
      let waits = isInline && number == Self.burst
      let time = ContinuousClock().measure {
        reactor.mix(ledger) { ledger in
          ledger.prop.count += 1
          ledger.prop.entries["entry \(count % 1_000)"] = count
          if waits { ledger.archiveNow() }
        }.react()
      }
      self.count += 1
      longest = max(longest, Int64(time / .microseconds(1)))
    }
  }

  final class Owner: Sendable {}
}
