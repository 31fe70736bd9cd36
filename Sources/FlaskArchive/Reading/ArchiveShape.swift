internal import FlaskPrimitives
internal import FlaskEntities
public import Foundation

/// How a state is archived: its version, its default values, and the migration from older versions.
///
/// ```swift
/// let shape = ArchiveShape(version: 2, initial: AppState()) { version, archive in
///   if version == 0 { archive.rename("name", to: "title") }
///   if version == 1 { archive["visits"] = 0 }
/// }
/// ```
/// Make one to read or to write the bytes of an archive by hand, as a test of a migration or an export does:
/// `try shape.decode(data, for: "Fx.1.settings")`.
public struct ArchiveShape<State: Codable & Sendable>: Sendable {
  /// One step of a migration: changes an archive of the given version into an archive of the next version.
  public typealias Migration = @Sendable (_ version: Int, _ archive: inout ArchiveValue) throws -> Void

  /// The version of the state, 0 or more. Archives of the older framework have version 0.
  public let version: Int

  private let initial: @Sendable () -> State
  private let migrate: Migration

  /// Describes a state.
  ///
  /// - Parameters:
  ///   - version: the version of the state. A negative version counts as 0.
  ///   - initial: makes the initial state. Values that an archive lacks are taken from it.
  ///   - migrate: called for each version in order, from the version of the archive up to, but not including, this
  ///     version. If it throws, the archive is quarantined.
  public init(
    version: Int = 0,
    initial: @autoclosure @escaping @Sendable () -> State,
    migrate: @escaping Migration = { _, _ in }
  ) {
    self.version = max(0, version)
    self.initial = initial
    self.migrate = migrate
  }

  /// The archive of a state: header and JSON text.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - key: the key it will be saved under.
  /// - Returns: the bytes. Encoding one state twice gives equal bytes.
  /// - Throws: `ArchiveError.tooDeep` or `.notEncodable`.
  /// - Complexity: O(*n*) in the size of the state.
  public func encode(_ state: State, for key: String) throws(ArchiveError) -> Data {
    try ArchiveError.catching { wrap(try SubstanceSerializer.data(from: state), for: key) }
  }

  /// Makes an archive of the encoded state, in this version.
  func wrap(_ payload: Data, for key: String) -> Data {
    ArchiveFormat.wrap(payload, as: ArchiveHeader(stateVersion: version, key: ArchiveKey.canonical(key)))
  }

  /// The state of an archive, also of an older version, of the older framework, or with properties missing.
  ///
  /// A property that the archive lacks takes its value from the initial state, at any depth of structs. Where the
  /// initial state has no value, as in the elements of an array, the value comes from `init()` of the type that lacks
  /// the property, if the type is a `FlaskState`. A missing optional is `nil`. Anything else that does not fit is an
  /// error.
  ///
  /// - Parameters:
  ///   - data: the bytes of the archive.
  ///   - key: the key it was saved under.
  /// - Returns: the state, and whether the bytes are exactly those that `encode` would make of the state now.
  /// - Throws: `ArchiveError` that says why the archive cannot be used.
  /// - Complexity: O(*n*) in the number of bytes, once more for each property of a type that is missing.
  public func decode(_ data: Data, for key: String) throws(ArchiveError) -> (state: State, isCurrent: Bool) {
    let (found, payload) = try unwrap(data, for: key)
    let (state, isCurrent, _) = try decode(payload, found)
    return (state, isCurrent)
  }

  func decode(
    _ payload: Data,
    _ found: Int?
  ) throws(ArchiveError) -> (state: State, isCurrent: Bool, repair: ArchiveRepair) {
    try LargeStackThread.perform(on: [payload]) { try repaired(payload, found) }
  }

  func unwrap(_ data: Data, for key: String) throws(ArchiveError) -> (version: Int?, payload: Data) {
    if LegacyArchive.matches(data) { return (nil, try LegacyArchive.payload(of: data)) }
    let (header, payload) = try ArchiveFormat.unwrap(data)
    guard header.key == key else { throw .corrupt(reason: "it was saved under the key \"\(header.key)\"") }
    guard header.stateVersion >= 0 else { throw .corrupt(reason: "it has version \(header.stateVersion)") }
    guard header.stateVersion <= version else {
      throw .newerVersion(found: header.stateVersion, known: version)
    }
    return (header.stateVersion, payload)
  }

  private func repaired(
    _ payload: Data,
    _ found: Int?
  ) throws(ArchiveError) -> (state: State, isCurrent: Bool, repair: ArchiveRepair) {
    var repair = ArchiveRepair(payload)
    try repair.migrate((found ?? 0)..<version, by: migrate)
    let state = try repair.decode(State.self, initial: initial)
    return (state, found == version && !repair.isChanged, repair)
  }
}
