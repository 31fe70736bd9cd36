@_spi(FlaskInternals) internal import FlaskDiff

/// What performing an operation led to, in a form that is cheap to make and is turned into a `FluxOutcome` on demand.
enum OperationResult: Sendable {
  /// The one substance of the operation changed.
  case committed(CommittedKeys)
  /// Several substances took part, some changed.
  case committedSeveral([CommittedKeys])
  case unchanged
  case aborted
  case failed(any Error)
  case purged

  var outcome: FluxOutcome {
    switch self {
    case .committed(let keys): .committed(keys: keys.paths)
    case .committedSeveral(let several): .committed(keys: several.flatMap(\.paths))
    case .unchanged: .unchanged
    case .aborted: .aborted
    case .failed(let error): .failed(error)
    case .purged: .purged
    }
  }
}

/// The changed keys of one substance.
struct CommittedKeys: @unchecked Sendable {
  // `@unchecked` because of the reference: layouts are `Sendable` and live as long as the process.
  private let layout: Unmanaged<StateLayout>
  private let first: UInt64
  private let more: [UInt64]?

  @inline(__always)
  init(_ core: SubstanceCore) {
    layout = .passUnretained(core.layout)
    let changes = core.changes
    first = changes.pointee.firstWord
    more = changes.pointee.isBeyondFirstWord ? CommittedKeys.moreWords(of: changes.pointee) : nil
  }

  @inline(never)
  private static func moreWords(of changes: borrowing ChangeSet) -> [UInt64] {
    (1..<changes.wordCount).map { changes.word(at: $0) }
  }

  var paths: [String] {
    var paths: [String] = []
    for (index, word) in ([first] + (more ?? [])).enumerated() {
      var bits = word
      while bits != 0 {
        paths.append(layout.takeUnretainedValue().path(of: index * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    return paths
  }
}
