@_spi(FlaskInternals) internal import FlaskArchive

/// Where substances are archived that have no backend of their own.
enum DefaultArchive {
  static let backend = Lock<any ArchiveBackend>(platformBackend)

  private static var platformBackend: any ArchiveBackend {
    #if canImport(Darwin)
      UserDefaultsArchive()
    #else
      FileArchive()
    #endif
  }
}
