import FlaskCore

/// The state of one side of a transfer.
struct Purse: FlaskState {
  enum prop: StateProp { case coins }

  var coins = 100
}
