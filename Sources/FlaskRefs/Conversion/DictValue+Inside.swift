extension DictValue {
  /// Takes over a value from outside with everything in it.
  ///
  /// Takes constant stack at any depth. Complexity: linear.
  init(_ outside: Any) {
    var levels: [InsideLevel] = []
    var next: Any? = outside
    while true {
      var finished: DictValue?
      if let source = next {
        switch OutsideShape(source) {
        case .value(let value): finished = value
        case .list(let list): levels.append(InsideLevel(keys: nil, sources: list))
        case .table(let keys, let values): levels.append(InsideLevel(keys: keys, sources: values))
        }
      } else {
        finished = levels.popLast().map { .branch($0.branch) }
      }
      guard let last = levels.indices.last else {
        self = finished ?? .nil
        return
      }
      if let finished { levels[last].values.append(finished) }
      next = levels[last].next
    }
  }
}

/// A list or dictionary from outside that is being taken over: its parts, and the values of the first of them.
private struct InsideLevel {
  let keys: [String]?
  let sources: [Any]
  var values: [DictValue] = []

  init(keys: [String]?, sources: [Any]) {
    self.keys = keys
    self.sources = sources
    values.reserveCapacity(sources.count)
  }

  var next: Any? { values.count < sources.count ? sources[values.count] : nil }

  var branch: Branch {
    guard let keys else { return Branch(.list(values)) }
    return Branch(.table(Dictionary(zip(keys, values)) { _, last in last }))
  }
}
