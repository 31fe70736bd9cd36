/// The newest patches of a state, numbered from 1 and bounded by count and bytes.
///
/// Readers have a place in it and no buffer of their own. Whoever lags behind the oldest patch gets the whole state.
struct PatchLog {
  /// What a reader gets next.
  enum News: Equatable {
    case nothing
    /// One JSON Patch that leads to the version.
    case patch(String, version: Int)
    /// The whole state is needed.
    case state
  }

  private let capacity: Int
  private let byteLimit: Int
  /// The operations of each patch, without the brackets around them. The first is the one of version `first`.
  private var patches: [String] = []
  private var start = 0
  private var bytes = 0
  private(set) var version = 0

  init(capacity: Int, byteLimit: Int) {
    self.capacity = capacity
    self.byteLimit = byteLimit
  }

  private var count: Int { patches.count - start }

  /// Adds what leads from the present version to the next: the operations of a JSON Patch.
  mutating func append(_ operations: String) {
    version += 1
    patches.append(operations)
    bytes += operations.utf8.count
    while count > capacity || bytes > byteLimit, count > 0 {
      bytes -= patches[start].utf8.count
      patches[start] = ""
      start += 1
    }
    // Each is moved once for each time that it could have been dropped.
    if start > patches.count / 2 {
      patches.removeFirst(start)
      start = 0
    }
  }

  /// What comes after a version.
  func news(after known: Int) -> News {
    if known == version { return .nothing }
    if known < version - count || known > version { return .state }
    let operations = patches[(patches.count - (version - known))...].filter { !$0.isEmpty }
    return .patch("[" + operations.joined(separator: ",") + "]", version: version)
  }
}
