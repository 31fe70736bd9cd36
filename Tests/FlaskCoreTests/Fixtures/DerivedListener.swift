import FlaskCore
import TestSupport

/// An owner that attaches itself in its base class.
class BaseListener: FlaskReactor {
  let heard = Recorder<[String]>()

  func attach(_ substance: AnySubstance) { Flask.attachReactor(to: self, mixing: substance) }
  func flaskReactions(reaction: FlaskReaction) { heard.append(reaction.keys) }
}

/// Its subclass.
final class DerivedListener: BaseListener {}
