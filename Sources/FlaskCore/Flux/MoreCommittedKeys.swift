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
    /// Up to 64 keys that follow each other.
    private struct Word {
      let layout: Unmanaged<StateLayout>
      let first: Int
      let keys: UInt64
    }

    private let second: CommittedKeys?
    /// The first word, and all of them if there are more: most often there is one, which needs no array.
    private var firstWord: Word?
    private var words: [Word] = []

    init(after second: CommittedKeys?) { self.second = second }

    func append(_ core: SubstanceCore, fromWord first: Int) {
      let changes = core.changes
      for number in first..<changes.pointee.wordCount {
        let keys = changes.pointee.word(at: number)
        if keys == 0 { continue }
        let word = Word(layout: .passUnretained(core.layout), first: number * 64, keys: keys)
        if let firstWord {
          if words.isEmpty { words.append(firstWord) }
          words.append(word)
        } else {
          firstWord = word
        }
      }
    }

    var paths: [String] {
      var paths = second?.paths ?? []
      let all = if words.isEmpty, let firstWord { [firstWord] } else { words }
      for word in all {
        paths += CommittedKeys.paths(in: word.layout.takeUnretainedValue(), from: word.first, word.keys)
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
