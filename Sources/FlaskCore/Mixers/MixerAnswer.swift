/// How a substance answered a mixer.
enum MixerAnswer {
  case reacted
  case aborted
  case failed(any Error)
}
