@testable import FlaskArchive
@testable import FlaskCore

/// Groups that write to one place, as those of several processes do.
struct SharedArchive {
  let backend = SharedProbe()
  let clock = ManualArchiveScheduler()

  func group() -> ArchiveGroup {
    ArchiveGroup("session", in: backend, sharing: true, scheduler: clock)
  }

  /// Waits until each has what the others have written.
  func settle(_ groups: ArchiveGroup...) {
    for _ in 0..<3 { for group in groups { group.settle() } }
  }
}
