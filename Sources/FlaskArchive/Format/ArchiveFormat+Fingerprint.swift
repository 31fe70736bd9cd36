import Foundation

extension ArchiveFormat {
  /// The header of an archive with its checksum and lengths: equal for equal archives, and all but never for others.
  struct Fingerprint: Hashable, Sendable {
    private let header: [UInt8]

    /// Takes the fingerprint of an archive.
    init(_ archive: Data) {
      header = Array(archive.prefix(headerCount))
    }
  }
}
