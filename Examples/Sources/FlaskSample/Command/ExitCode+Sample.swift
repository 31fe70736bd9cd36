import ArgumentParser

/// Beside 0 and 64 (usage, by the argument parser), after `sysexits.h`.
extension ExitCode {
  /// With `--strict`: there were bad lines.
  static let badLines = ExitCode(65)
  /// The input could not be opened or read.
  static let noInput = ExitCode(66)
  /// With `--replay`: an operation went another way than it was recorded.
  static let difference = ExitCode(70)
  /// With `--replay`: the recording is cut off or damaged; the summary is that of what there is.
  static let cutRecording = ExitCode(71)
  /// With `--archive` or `--record`: the archives, or the recording, could not be written.
  static let noArchive = ExitCode(73)
  /// With `--inspect`: the page could not be served.
  static let noPage = ExitCode(69)
  /// Standard output could not be written.
  static let noOutput = ExitCode(74)
}
