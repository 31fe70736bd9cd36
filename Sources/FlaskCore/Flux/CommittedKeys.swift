internal import FlaskDiff

/// The changed ones among 64 keys of one substance that follow each other.
///
/// `@unchecked Sendable` because of the reference: layouts are `Sendable` and live as long as the process.
package struct CommittedKeys: @unchecked Sendable {
  private let layout: Borrowed<StateLayout>
  private let keys: UInt64

  /// The first 64.
  @inline(__always)
  init(_ cell: StateCell) {
    layout = Borrowed(cell.layout)
    keys = cell.changes.pointee.firstWord
  }

  var paths: [String] { CommittedKeys.paths(in: layout.object, from: 0, keys) }

  /// The keys of one word of a set, in ascending order.
  static func paths(in layout: StateLayout, from first: Int, _ word: UInt64) -> [String] {
    var paths: [String] = []
    var bits = word
    while bits != 0 {
      paths.append(layout.path(of: first + bits.trailingZeroBitCount))
      bits &= bits - 1
    }
    return paths
  }
}

/// The changed keys of an operation beyond the first 64 of its first substance.
package enum FurtherKeys: Sendable {
  case none
  case second(CommittedKeys)
  case list(List)

  /// What does not fit into a few words: rare enough to be allocated.
  ///
  /// `@unchecked Sendable`: appended to by the performer, while it makes the result; read from then on.
  package final class List: @unchecked Sendable {
    /// Up to 64 keys that follow each other.
    private struct Word {
      let layout: Borrowed<StateLayout>
      let first: Int
      let keys: UInt64
    }

    private let second: CommittedKeys?
    /// The first word, and all of them if there are more: most often there is one, which needs no array.
    private var firstWord: Word?
    private var words: [Word] = []

    init(after second: CommittedKeys?) { self.second = second }

    func append(_ cell: StateCell, fromWord first: Int) {
      let changes = cell.changes
      for number in first..<changes.pointee.wordCount {
        let keys = changes.pointee.word(at: number)
        if keys == 0 { continue }
        let word = Word(layout: Borrowed(cell.layout), first: number * 64, keys: keys)
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
        paths += CommittedKeys.paths(in: word.layout.object, from: word.first, word.keys)
      }
      return paths
    }
  }

  /// Those of the first substance.
  @inline(__always)
  static func beyondFirstWord(of cell: StateCell) -> FurtherKeys {
    cell.changes.pointee.isBeyondFirstWord ? list(of: cell, after: nil, fromWord: 1) : .none
  }

  /// These, and then those of another substance.
  func with(_ cell: StateCell) -> FurtherKeys {
    switch self {
    case .none where !cell.changes.pointee.isBeyondFirstWord: return .second(CommittedKeys(cell))
    case .none: return FurtherKeys.list(of: cell, after: nil, fromWord: 0)
    case .second(let keys): return FurtherKeys.list(of: cell, after: keys, fromWord: 0)
    case .list(let list):
      list.append(cell, fromWord: 0)
      return self
    }
  }

  @inline(never)
  private static func list(
    of cell: StateCell,
    after second: CommittedKeys?,
    fromWord first: Int
  ) -> FurtherKeys {
    let list = List(after: second)
    list.append(cell, fromWord: first)
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
