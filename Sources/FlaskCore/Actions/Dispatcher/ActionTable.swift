/// What is to be done about actions, by their type. Few types are scanned, many are hashed.
struct ActionTable<Answer: Sendable>: Sendable {
  private static var scanned: Int { 8 }

  private var types: [ObjectIdentifier] = []
  private var answers: [Answer] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  /// The answer to a type. Complexity: O(1).
  subscript(type: ObjectIdentifier) -> Answer? {
    @inline(__always)
    get { index(of: type).map { answers[$0] } }
    set {
      guard let newValue else { return }
      if let index = index(of: type) { return answers[index] = newValue }
      types.append(type)
      answers.append(newValue)
      if types.count > Self.scanned {
        for (index, type) in types.enumerated() { indices[type] = index }
      }
    }
  }

  @inline(__always)
  private func index(of type: ObjectIdentifier) -> Int? {
    if types.count > Self.scanned { return indices[type] }
    for index in types.indices where types[index] == type { return index }
    return nil
  }
}
