@_spi(FlaskInternals) internal import FlaskDiff

/// Up to 64 changed keys of one substance.
///
/// `@unchecked Sendable` because of the reference: layouts are `Sendable` and live as long as the process.
struct CommittedKeys: @unchecked Sendable {
  private let layout: Unmanaged<StateLayout>
  private let keys: UInt64

  /// The first 64.
  @inline(__always)
  init(_ core: SubstanceCore) {
    layout = .passUnretained(core.layout)
    keys = core.changes.pointee.firstWord
  }

  var paths: [String] { CommittedKeys.paths(in: layout.takeUnretainedValue(), from: 0, keys) }

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
