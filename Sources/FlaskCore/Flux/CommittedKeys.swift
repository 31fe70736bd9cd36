@_spi(FlaskInternals) internal import FlaskDiff

/// The changed keys of one substance.
///
/// `@unchecked Sendable`: see `OperationResult`.
struct CommittedKeys: @unchecked Sendable {
  private let layout: Unmanaged<StateLayout>
  private let firstWord: UInt64
  private let moreWords: [UInt64]

  init(layout: Unmanaged<StateLayout>, firstWord: UInt64) {
    self.layout = layout
    self.firstWord = firstWord
    moreWords = []
  }

  init(_ core: SubstanceCore) {
    layout = .passUnretained(core.layout)
    let changes = core.changes
    firstWord = changes.pointee.firstWord
    moreWords =
      changes.pointee.isBeyondFirstWord
      ? (1..<changes.pointee.wordCount).map { changes.pointee.word(at: $0) } : []
  }

  var paths: [String] {
    var paths: [String] = []
    for (index, word) in ([firstWord] + moreWords).enumerated() {
      var bits = word
      while bits != 0 {
        paths.append(layout.takeUnretainedValue().path(of: index * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    return paths
  }
}
