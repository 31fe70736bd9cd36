import BenchmarkSink
/// A curve to be measured: cases of growing size.
struct Growing {
  let name: String
  let cases: [(size: Int, measured: Case)]

  /// - Parameters:
  ///   - name: what the curve shows.
  ///   - sizes: the sizes, ascending.
  ///   - fires: how many observers one operation must fire.
  ///   - make: prepares the case of a size.
  init(_ name: String, _ sizes: [Int], fires: Int = 1, _ make: @escaping (Int, Sink) -> (Int) -> Void) {
    self.init(name, sizes.map { size in (size, Case(name, "\(size)", fires: fires) { make(size, $0) }) })
  }

  /// A curve of cases made one by one, for sizes that are types.
  init(_ name: String, _ cases: [(Int, Case)]) {
    self.name = name
    self.cases = cases.map { (size: $0.0, measured: $0.1) }
  }
}
