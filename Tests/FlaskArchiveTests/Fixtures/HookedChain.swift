@_spi(Checks) @testable import FlaskArchive

/// A state that is nested as deep as wished, and does something while its deepest link is encoded.
final class HookedChain: Codable, Sendable {
  private let next: HookedChain?
  private let hook: @Sendable () -> Void

  init(length: Int, hook: @escaping @Sendable () -> Void) {
    next = length > 1 ? HookedChain(length: length - 1, hook: hook) : nil
    self.hook = hook
  }

  init(from decoder: any Decoder) {
    next = nil
    hook = {}
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    guard let next else { return hook() }
    try container.encode(next)
  }
}

extension StateArchiver where State == HookedChain {
  /// An archiver of such a state. Beyond 16 levels it is encoded on a thread of its own.
  convenience init(
    length: Int,
    in backend: any ArchiveBackend,
    registry: Archivers = Archivers(),
    onFault: @escaping @Sendable (ArchiveFault) -> Void = { _ in },
    hook: @escaping @Sendable () -> Void
  ) {
    self.init(
      key: "chain",
      owner: ArchiveOwner(name: "chain"),
      in: backend,
      as: ArchiveShape(initial: HookedChain(length: 1) {}),
      schedule: ArchiveSchedule(delay: .seconds(2), cap: .seconds(10)),
      scheduler: ManualArchiveScheduler(),
      registry: registry,
      onFault: onFault,
      snapshot: { HookedChain(length: length, hook: hook) }
    )
  }
}
