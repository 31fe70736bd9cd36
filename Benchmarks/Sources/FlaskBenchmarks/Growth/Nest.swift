import FlaskCore

/// A number beside another level: nested `n` times, the deepest number has the key `nest.nest.….nest`.
struct Nest<T: Countable>: FlaskState, Countable {
  var other = 0
  var nest = T()
  var number: Int {
    get { nest.number }
    set { nest.number = newValue }
  }
}

typealias Nest1 = Nest<Int>
typealias Nest2 = Nest<Nest1>
typealias Nest4 = Nest<Nest<Nest2>>
typealias Nest8 = Nest<Nest<Nest<Nest<Nest4>>>>
typealias Nest16 = Nest<Nest<Nest<Nest<Nest<Nest<Nest<Nest<Nest8>>>>>>>>
typealias Nest24 = Nest<Nest<Nest<Nest<Nest<Nest<Nest<Nest<Nest16>>>>>>>>
typealias Nest32 = Nest<Nest<Nest<Nest<Nest<Nest<Nest<Nest<Nest24>>>>>>>>
