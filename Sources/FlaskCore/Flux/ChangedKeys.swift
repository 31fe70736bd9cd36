/// The keys that an operation has changed, as bits. Their names are made on request.
///
/// The value has four words, so that a receipt that contains it is returned in registers. The first 64 keys of two
/// substances are stored inline; all other keys are allocated.
///
/// `@unchecked Sendable`, because of the references:
/// - Ownership: layouts live as long as the process.
/// - Invariant: the performer appends to `OverflowWords` while it makes the result; afterwards they are only read.
/// - If violated: a data race.
package struct ChangedKeys: @unchecked Sendable {
  /// The changes of 64 consecutive keys of one substance, as bits.
  private struct Word {
    let layout: UnretainedReference<StateLayout>
    var first = 0
    let bits: UInt64

    /// In ascending order.
    func appendNames(to names: inout [String]) {
      layout.use { layout in
        var bits = bits
        while bits != 0 {
          names.append(layout.path(of: first + bits.trailingZeroBitCount))
          bits &= bits - 1
        }
      }
    }
  }

  private final class OverflowWords {
    var words: [Word] = []
  }

  /// The keys beyond the first word.
  private enum Rest {
    case none
    /// The changes of the first 64 keys of a second substance, as bits.
    case second(UnretainedReference<StateLayout>, UInt64)
    case more(OverflowWords)
  }

  private let layout: UnretainedReference<StateLayout>
  private let bits: UInt64
  private var rest: Rest = .none

  /// The changed keys of one substance.
  @inline(__always)
  init(of cell: Cell) {
    layout = UnretainedReference(cell.layout)
    bits = cell.changes.pointee.firstWord
    if cell.changes.pointee.isBeyondFirstWord { append(cell, fromWord: 1) }
  }

  /// Adds the changed keys of another substance.
  mutating func append(_ cell: Cell) {
    if case .none = rest, !cell.changes.pointee.isBeyondFirstWord {
      rest = .second(UnretainedReference(cell.layout), cell.changes.pointee.firstWord)
    } else {
      append(cell, fromWord: 0)
    }
  }

  @inline(never)
  private mutating func append(_ cell: Cell, fromWord first: Int) {
    let more: OverflowWords
    switch rest {
    case .none: more = OverflowWords()
    case .second(let layout, let bits):
      more = OverflowWords()
      more.words.append(Word(layout: layout, bits: bits))
    case .more(let known): more = known
    }
    rest = .more(more)
    let changes = cell.changes
    for number in first..<changes.pointee.wordCount {
      let bits = changes.pointee.word(at: number)
      if bits != 0 {
        more.words.append(Word(layout: UnretainedReference(cell.layout), first: number * 64, bits: bits))
      }
    }
  }

  /// The names of the changed keys, nested properties included: substance by substance, each in the order of
  /// declaration.
  var names: [String] {
    var names: [String] = []
    Word(layout: layout, bits: bits).appendNames(to: &names)
    switch rest {
    case .none: break
    case .second(let layout, let bits): Word(layout: layout, bits: bits).appendNames(to: &names)
    case .more(let more): for word in more.words { word.appendNames(to: &names) }
    }
    return names
  }
}
