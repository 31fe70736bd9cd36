import Foundation

@testable import FlaskArchive
@testable import FlaskCore

extension ArchiveGroup {
  /// Waits until all that was written elsewhere so far is here, unless the flux is busy.
  func settle() {
    for _ in 0..<3 {
      archiver.waitForWork()
      archiver.sharing?.waitForDeliveries()
    }
  }
}

extension GroupContents {
  var partsInBackend: [String: Data] {
    guard let file = try? store.read().file else { return [:] }
    return file.parts.compactMapValues { try? $0.whole() }
  }
}
