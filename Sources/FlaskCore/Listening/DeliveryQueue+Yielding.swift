extension DeliveryQueue {
  /// The length of a series of commits, each caused by the one before, after which another task delivers the rest. For
  /// a listener without isolation all commits count, so that concurrent mixes do not occupy the thread for ever.
  private static let chain = 512

  /// Whether another task delivers a commit and those after it.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the listener.
  ///   - count: the number of commits that this delivery has delivered.
  ///   - batch: the number of commits that were pending when it began.
  static func yields(
    to commit: WaitingCommit,
    on isolation: HandlerIsolation,
    after count: Int,
    of batch: Int
  ) -> Bool {
    if commit.causeCount > 0 && commit.causeCount.isMultiple(of: chain) { return true }
    if isolation.isNone { return count >= chain }
    return count >= batch && (commit.causeCount == 0 || count >= batch + chain)
  }
}
