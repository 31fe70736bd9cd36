struct Counter: FlaskState { var count = 0; var step = 1 }
nonisolated let counter = Substance(Counter())
nonisolated func show(_ old: Int, _ new: Int) {}
