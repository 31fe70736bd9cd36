import FlaskCore

/// What a wide state is made of: something with a number that can be changed.
protocol Countable: Codable, Sendable {
  init()
  var number: Int { get set }
}

extension Int: Countable {
  var number: Int {
    get { self }
    set { self = newValue }
  }
}

/// Two properties. Wide states are these inside of each other: each inner struct is a key, too.
struct Two<T: Countable>: FlaskState, Countable {
  var a = T()
  var b = T()
  var number: Int {
    get { b.number }
    set { b.number = newValue }
  }
}

/// Five properties.
struct Five<T: Countable>: FlaskState, Countable {
  var a = T()
  var b = T()
  var c = T()
  var d = T()
  var e = T()
  var number: Int {
    get { e.number }
    set { e.number = newValue }
  }
}

/// Ten properties.
struct Ten<T: Countable>: FlaskState, Countable {
  var a = T()
  var b = T()
  var c = T()
  var d = T()
  var e = T()
  var f = T()
  var g = T()
  var h = T()
  var i = T()
  var j = T()
  var number: Int {
    get { j.number }
    set { j.number = newValue }
  }
}
