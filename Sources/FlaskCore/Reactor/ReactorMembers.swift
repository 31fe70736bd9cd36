internal import FlaskDiff

/// The substances that a reactor was made for. Holds none of them.
final class ReactorMembers: @unchecked Sendable {
  // `@unchecked` because of the weak references, which are never written again.
  private struct Member { weak var substance: AnySubstance? }

  private let members: [Member]
  private let identifiers: [ObjectIdentifier]

  init(_ substances: [AnySubstance]) {
    members = substances.map(Member.init)
    identifiers = substances.map { ObjectIdentifier($0) }
  }

  /// Those that live, in the order given.
  var substances: [AnySubstance] { members.compactMap(\.substance) }

  /// Whether `substance` is one of them. (A living substance that got the address of a dead member passes, too.)
  @inline(__always)
  func contains(_ substance: AnySubstance) -> Bool {
    let wanted = ObjectIdentifier(substance)
    for identifier in identifiers where identifier == wanted { return true }
    return false
  }

  /// Reports a key that neither `substance` nor any other of the reactor has.
  func checkKnown(_ key: String, besides substance: AnySubstance, at place: SourcePlace) {
    let substances = substances
    if substances.contains(where: { $0 !== substance && $0.core.layout.lookup(key) != .unknown }) { return }
    let names = substances.map { $0.name() }.joined(separator: ", ")
    substance.report(
      .unknownKey,
      "no substance of the reactor (\(names)) has a key `\(key)`; \(substance.name()) has "
        + substance.keys.joined(separator: ", "),
      at: place)
  }
}
