/// Delays in minutes: how many were recorded, their sum and the worst.
struct DelayTally: Codable, Sendable, Equatable {
  var recorded = 0
  var minutes = 0
  var worst: Int?

  /// The mean delay in minutes, rounded to a tenth and never a negative zero; `nil` if none was recorded.
  var mean: Double? {
    recorded == 0 ? nil : (Double(minutes) / Double(recorded) * 10).rounded() / 10 + 0
  }

  mutating func count(_ minutes: Int) {
    recorded += 1
    self.minutes += minutes
    worst = max(worst ?? minutes, minutes)
  }
}
