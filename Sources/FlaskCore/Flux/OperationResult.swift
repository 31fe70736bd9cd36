@_spi(FlaskInternals) internal import FlaskDiff

/// What performing an operation led to, in a form that is cheap to make and is turned into a `FluxOutcome` on demand.
///
/// `@unchecked Sendable` because of the reference to a layout: layouts are `Sendable` and live as long as the process.
struct OperationResult: @unchecked Sendable {
  private enum Kind: UInt8 { case committed, unchanged, aborted, failed, purged }

  /// What does not fit into a few words. One reference for all of it, so that a receipt is thrown away at once.
  private final class Detail: Sendable {
    let several: [CommittedKeys]
    let error: (any Error)?

    init(several: [CommittedKeys] = [], error: (any Error)? = nil) {
      self.several = several
      self.error = error
    }
  }

  private let kind: Kind
  private let layout: Unmanaged<StateLayout>?
  private let firstWord: UInt64
  private let detail: Detail?

  @inline(__always)
  private init(
    _ kind: Kind,
    layout: Unmanaged<StateLayout>? = nil,
    firstWord: UInt64 = 0,
    detail: Detail? = nil
  ) {
    self.kind = kind
    self.layout = layout
    self.firstWord = firstWord
    self.detail = detail
  }

  /// The one substance of the operation changed.
  @inline(__always)
  static func committed(_ core: SubstanceCore) -> OperationResult {
    let changes = core.changes
    if changes.pointee.isBeyondFirstWord { return committed([CommittedKeys(core)]) }
    return OperationResult(
      .committed,
      layout: .passUnretained(core.layout),
      firstWord: changes.pointee.firstWord
    )
  }

  /// Several substances took part, and these changed.
  @inline(never)
  static func committed(_ several: [CommittedKeys]) -> OperationResult {
    OperationResult(.committed, detail: Detail(several: several))
  }

  static var unchanged: OperationResult { OperationResult(.unchanged) }
  static var aborted: OperationResult { OperationResult(.aborted) }
  static var purged: OperationResult { OperationResult(.purged) }

  @inline(never)
  static func failed(_ error: any Error) -> OperationResult {
    OperationResult(.failed, detail: Detail(error: error))
  }

  /// Whether any key changed.
  var isCommitted: Bool { kind == .committed }

  var outcome: FluxOutcome {
    switch kind {
    case .committed: .committed(keys: paths)
    case .unchanged: .unchanged
    case .aborted: .aborted
    case .failed: detail?.error.map(FluxOutcome.failed) ?? .aborted
    case .purged: .purged
    }
  }

  private var paths: [String] {
    guard let layout else { return detail?.several.flatMap(\.paths) ?? [] }
    return CommittedKeys(layout: layout, firstWord: firstWord).paths
  }
}
