/// A step with what it is about, to be done with no lock held: it may run code of the user's.
enum EffectDeed {
  case start(EffectRun)
  case cancel(EffectRun)
  case drop(EffectRun)
  case startTimer(EffectTimer, Int, EffectID)
  case cancelTimer(EffectTimer)
}
