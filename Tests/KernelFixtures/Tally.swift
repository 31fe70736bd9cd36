package import FlaskCore

/// A flat state.
package struct Tally: FlaskState {
  package enum prop: StateProp { case counter, text, maybe }

  package var counter: Int
  package var text: String
  package var maybe: Int?
  package var _hidden = 0

  package init() { self.init(counter: 0) }

  package init(counter: Int, text: String = "", maybe: Int? = nil) {
    self.counter = counter
    self.text = text
    self.maybe = maybe
  }
}
