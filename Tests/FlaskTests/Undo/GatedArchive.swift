import FlaskArchive
import Foundation
import TestSupport

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
