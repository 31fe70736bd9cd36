import FlaskCore
import TestSupport

/// A state that holds an object.
struct Holder: FlaskState {
  enum CodingKeys: CodingKey { case counter }

  var counter = 0
  var token: LastWords?
}
