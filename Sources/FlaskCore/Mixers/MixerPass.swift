/// Why `defineMixers()` of a reactive substance is running, and on which thread.
enum MixerPass {
  /// It is not.
  case none
  /// To learn which mixers there are.
  case registering(on: UInt)
  /// To perform one of them; with the answer, once its definition has been met.
  case answering(MixerCall, MixerAnswer?, on: UInt)
}
