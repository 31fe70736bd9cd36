import Flask

/// The names of the airlines, by code; empty until they have been loaded.
struct AirlinesState: State {
  enum prop: StateProp { case isLoading, names, failure }

  var isLoading = false
  var names: [String: String] = [:]
  var failure: String?
}
