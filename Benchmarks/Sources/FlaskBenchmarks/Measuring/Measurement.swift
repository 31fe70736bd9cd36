/// What the rounds of one case took.
struct Measurement {
  let workload: String
  let name: String
  /// Nanoseconds per operation, by round.
  let rounds: [Double]

  /// The median of the rounds, in nanoseconds per operation.
  var nanoseconds: Double { median(rounds) }

  /// The median, over the rounds, of the ratio to what `bound` took in the same round.
  func ratio(to bound: Measurement) -> Double { median(zip(rounds, bound.rounds).map { $0 / $1 }) }
}

/// The middle value; of an even number of values, the mean of the middle two.
func median(_ values: [Double]) -> Double {
  if values.isEmpty { return .nan }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
