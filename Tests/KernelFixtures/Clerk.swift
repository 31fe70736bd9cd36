import FlaskCore
import TestSupport

enum ClerkMixers: SubstanceMixer { case note, add, quit, fail, forget, both, twice }

/// A reactive substance that answers each mixer in another way.
final class Clerk: ReactiveSubstance<Tally, ClerkMixers>, @unchecked Sendable {
  /// The lines of the definitions that are misuse.
  let lines: (forget: UInt, both: UInt) = (35, 36)
  private let log: Recorder<String>

  init(log: Recorder<String> = Recorder(), name: String? = nil) {
    self.log = log
    super.init(name: name)
  }

  override func defineMixers() {
    define(mix: .note) { _, react, _ in
      self.log.append("mixer")
      react()
    }
    define(mix: .add) { payload, react, _ in
      self.prop.counter += payload?["by"] as? Int ?? 1
      react()
    }
    define(mix: .quit) { _, _, abort in
      self.prop.counter = -1
      abort()
    }
    define(mix: .fail) { _, react, _ in
      self.prop.counter = -2
      react()
      throw Oops()
    }
    define(mix: .forget) { _, _, _ in self.prop.counter = -3 }
    define(mix: .both) { _, react, abort in
      self.prop.counter += 10
      react()
      abort()
    }
    define(mix: .twice) { _, react, _ in
      self.prop.counter += 20
      react()
      react()
    }
  }
}
