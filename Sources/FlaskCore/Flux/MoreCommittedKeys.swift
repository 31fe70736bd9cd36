@_spi(FlaskInternals) internal import FlaskDiff

/// The changed keys of an operation beyond the first 64 of its first substance.
enum MoreCommittedKeys: Sendable {
  case none
  case second(CommittedKeys)
  case list(List)

  /// What does not fit into a few words: rare enough to be allocated.
  ///
  /// `@unchecked Sendable`: appended to by the performer, while it makes the result; read from then on.
  final class List: @unchecked Sendable {
    private struct Keys {
      let layout: StateLayout
      let first: Int
      let words: [UInt64]
    }

    private let second: CommittedKeys?
    private var others: [Keys] = []

    init(after second: CommittedKeys?) { self.second = second }

    func append(_ core: SubstanceCore, fromWord first: Int) {
      let changes = core.changes
      let words = (first..<changes.pointee.wordCount).map { changes.pointee.word(at: $0) }
      others.append(Keys(layout: core.layout, first: first * 64, words: words))
    }

    var paths: [String] {
      var paths = second?.paths ?? []
      for keys in others {
        for (index, word) in keys.words.enumerated() {
          paths += CommittedKeys.paths(in: keys.layout, from: keys.first + index * 64, word)
        }
      }
      return paths
    }
  }

  /// Those of the first substance.
  @inline(__always)
  static func beyondFirstWord(of core: SubstanceCore) -> MoreCommittedKeys {
    core.changes.pointee.isBeyondFirstWord ? list(of: core, after: nil, fromWord: 1) : .none
  }

  /// These, and then those of another substance.
  func with(_ core: SubstanceCore) -> MoreCommittedKeys {
    switch self {
    case .none where !core.changes.pointee.isBeyondFirstWord: return .second(CommittedKeys(core))
    case .none: return MoreCommittedKeys.list(of: core, after: nil, fromWord: 0)
    case .second(let keys): return MoreCommittedKeys.list(of: core, after: keys, fromWord: 0)
    case .list(let list):
      list.append(core, fromWord: 0)
      return self
    }
  }

  @inline(never)
  private static func list(
    of core: SubstanceCore,
    after second: CommittedKeys?,
    fromWord first: Int
  ) -> MoreCommittedKeys {
    let list = List(after: second)
    list.append(core, fromWord: first)
    return .list(list)
  }

  var paths: [String] {
    switch self {
    case .none: []
    case .second(let keys): keys.paths
    case .list(let list): list.paths
    }
  }
}
