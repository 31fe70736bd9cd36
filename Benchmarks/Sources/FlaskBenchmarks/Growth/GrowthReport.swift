/// What grew, and what it cost.
struct GrowthReport: Encodable {
  struct Point: Encodable {
    let size: Int
    let nanoseconds: Double
  }

  struct Curve: Encodable {
    let name: String
    let points: [Point]
  }

  struct Chart: Encodable {
    /// The name of the file that shows it.
    let name: String
    let title: String
    /// What the size counts.
    let unit: String
    let curves: [Curve]
  }

  let charts: [Chart]
}
