import FlaskArchive
import FlaskCore
import Foundation
import TestSupport
import Testing

/// A place whose reads wait.
struct GatedArchive: ArchiveBackend {
  var place = MemoryArchive()
  let gate = Gate()

  var location: String { place.location }

  func load(_ key: String) throws -> Data? {
    gate.wait()
    return place.load(key)
  }

  func save(_ data: Data, for key: String) throws { place.save(data, for: key) }

  func remove(_ key: String) throws { place.remove(key) }

  func keys(withPrefix prefix: String) throws -> [String] { place.keys(withPrefix: prefix) }
}

extension Flux {
  /// A flux of substances whose archives arrive late. A flush of another test finds them unread, which is a fault.
  static func withLateArchives() -> Flux {
    let flux = Flux()
    flux.onFault = { fault in
      if fault.kind != .archiveNotSaved { Issue.record("\(fault)") }
    }
    return flux
  }
}
