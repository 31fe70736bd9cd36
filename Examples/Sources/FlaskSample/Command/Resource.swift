import Foundation

/// The files that the sample ships.
enum Resource {
  static var flights: URL { Bundle.module.bundleURL.appending(path: "flights.jsonl") }
  static var airlines: URL { Bundle.module.bundleURL.appending(path: "airlines.csv") }
}
