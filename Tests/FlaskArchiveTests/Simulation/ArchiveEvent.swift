import TestSupport

/// Something that a client of archives does, or that happens to it.
enum ArchiveEvent: Sendable {
  /// Makes a substance, where it was last; one of its name is replaced.
  case make(Int, place: Int)
  case mix(Int)
  /// Whether the state can be encoded.
  case setBroken(Int, Bool)
  case save(Int)
  case saveGroup(Int)
  case flush
  case advance(seconds: Int)
  case join(Int, group: Int)
  case leave(Int)
  case purge(Int)
  case purgeGroup(Int)
  case release(Int)
  case fail([SimulatedStore.Failure])
  /// These happen during the next save.
  case during([ArchiveEvent])
  case kill
  case exit

  static let names = 3
  static let groups = 2

  static func random(_ generator: inout SeededGenerator) -> ArchiveEvent {
    let name = Int.random(in: 0..<names, using: &generator)
    let group = Int.random(in: 0..<groups, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<12: return .make(name, place: Int.random(in: 0...groups, using: &generator))
    case 12..<37: return .mix(name)
    case 37..<40: return .setBroken(name, Bool.random(using: &generator))
    case 40..<46: return .save(name)
    case 46..<50: return .saveGroup(group)
    case 50..<53: return .flush
    case 53..<63: return .advance(seconds: Bool.random(using: &generator) ? 2 : 12)
    case 63..<68: return .join(name, group: group)
    case 68..<72: return .leave(name)
    case 72..<75: return .purge(name)
    case 75..<77: return .purgeGroup(group)
    case 77..<83: return .release(name)
    case 83..<90:
      let count = Int.random(in: 1...2, using: &generator)
      return .fail((0..<count).map { _ in Bool.random(using: &generator) ? .before : .after })
    case 90..<94:
      let other = Int.random(in: 0..<names, using: &generator)
      return .during(Bool.random(using: &generator) ? [.mix(name)] : [.mix(name), .release(other)])
    case 94..<97: return .kill
    default: return .exit
    }
  }

  static func history(seed: UInt64, count: Int) -> [ArchiveEvent] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in random(&generator) }
  }
}
