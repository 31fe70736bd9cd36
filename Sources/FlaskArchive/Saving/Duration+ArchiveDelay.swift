extension Duration {
  /// How long after its last change a state is archived, unless said otherwise.
  package static let archiveDelay: Duration = .seconds(2)

  /// How long after its first change a state is archived at the latest.
  package static let archiveCap: Duration = .seconds(10)

  /// A delay in seconds as a user gives it: a negative one is none, a year is the most, and what is no number is the
  /// usual delay.
  ///
  /// - Parameter seconds: the delay.
  /// - Returns: the delay as a duration.
  package static func archiveDelay(seconds: Double) -> Duration {
    seconds.isNaN ? .archiveDelay : .seconds(min(max(0, seconds), 31_536_000))
  }
}
