/// Every substance of the sample.
struct Substances: Sendable {
  let board = Board()
  let days = Days()
  let records = Records()
  let journal = Journal()
  let airlines = Airlines()
}
