import FlaskCore
import TestSupport

/// A substance with one reactor, which writes down the keys of each reaction.
final class Watched<S: FlaskState>: Sendable {
  let substance: Substance<S>
  let owner = Owner()
  let reactor: Reactor<Owner>
  let heard = Recorder<[String]>()

  init(_ substance: Substance<S> = Substance<S>()) {
    self.substance = substance
    reactor = Flask.reactor(attachedTo: owner, mixing: [substance]) { [heard] _, reaction in
      heard.append(reaction.keys)
    }
  }

  @discardableResult
  func mix(_ body: @escaping @Sendable (Substance<S>) throws -> Void) -> FluxReceipt {
    reactor.mix(substance, body).react(isolation: nil)
  }
}
