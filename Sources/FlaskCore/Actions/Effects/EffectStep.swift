/// What is to be done about effects.
enum EffectStep: Equatable {
  /// Run it.
  case start(Int)
  /// Cancel it while it runs.
  case cancel(Int)
  /// Forget it: it never ran.
  case drop(Int)
  /// Tell when that long has passed on the clock of the run.
  case startTimer(Int, run: Int, id: EffectID, Duration)
  /// Forget the timer.
  case cancelTimer(Int)
}
