@_spi(FlaskInternals) internal import FlaskDiff

/// The substances that a reactor was made for. Holds none of them.
@usableFromInline
final class ReactorMembers: @unchecked Sendable {
  // `@unchecked` because of the weak references, which are never written again.
  private struct Member { weak var substance: AnySubstance? }

  private let members: [Member]
  @usableFromInline let identifiers: [ObjectIdentifier]
  /// The same, where there are so many that looking through them takes longer than hashing.
  private let index: Set<ObjectIdentifier>
  /// Layouts live as long as the process: the keys of a substance that is gone stay known.
  private let layouts: [StateLayout]
  /// Stands in where there is no reactor: a fault has been reported, so what it refuses is refused in silence.
  private let isMissing: Bool

  /// The members of the reactor that an owner does not have.
  static let missing = ReactorMembers([], isMissing: true)

  init(_ substances: [AnySubstance], isMissing: Bool = false) {
    self.isMissing = isMissing
    members = substances.map(Member.init)
    identifiers = substances.map { ObjectIdentifier($0) }
    index = identifiers.count > ReactorMembers.scanned ? Set(identifiers) : []
    layouts = substances.map(\.core.layout)
  }

  /// Those that live, in the order given.
  var substances: [AnySubstance] { members.compactMap(\.substance) }

  /// Those that live, each once, in the order in which they were given first.
  var distinctSubstances: [AnySubstance] {
    if members.count == 1 { return substances }
    var seen: Set<ObjectIdentifier> = []
    return substances.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Whether `substance` is one of them. (A living substance that got the address of a dead member passes, too.)
  @inlinable
  func contains(_ substance: AnySubstance) -> Bool {
    let wanted = ObjectIdentifier(substance)
    if identifiers.count > ReactorMembers.scanned { return indexContains(wanted) }
    for identifier in identifiers where identifier == wanted { return true }
    return false
  }

  @usableFromInline
  func indexContains(_ identifier: ObjectIdentifier) -> Bool { index.contains(identifier) }

  /// Up to how many are looked through.
  @usableFromInline static var scanned: Int { 32 }

  /// Whether a chain that begins with `first` may mix `substance`; if not, a fault has been reported.
  @inline(__always)
  func accept(_ substance: AnySubstance, after first: SubstanceCore, at place: SourcePlace) -> Bool {
    if contains(substance), substance.core.flux === first.flux { return true }
    return refuse(substance, after: first, at: place)
  }

  /// Reports that a chain can't begin with `substance`; true.
  @usableFromInline
  func hasReported(_ substance: AnySubstance, at place: SourcePlace) -> Bool {
    !refuse(substance, after: substance.core, at: place)
  }

  /// Reports that a chain can't go on with `substance`; false.
  private func refuse(_ substance: AnySubstance, after first: SubstanceCore, at place: SourcePlace) -> Bool {
    if isMissing { return false }
    if contains(substance) {
      let firstName = first.substance.name()
      substance.report(
        .substancesOfDifferentBuses,
        "\(firstName) and \(substance.name()) belong to different buses; one chain can't span them, mix each alone",
        at: place
      )
    } else {
      substance.report(
        .substanceNotOfReactor,
        "\(substance.name()) was mixed through a reactor that was not made for it, so the chain is aborted; "
          + "name it in `mixing:` when attaching the reactor",
        at: place
      )
    }
    return false
  }

  /// Reports a key that no substance of the reactor has.
  func checkKnown(_ key: String, of record: ReactionRecord, at place: SourcePlace) {
    if layouts.contains(where: { $0.lookup(key) != .unknown }) { return }
    let names = substances.map { $0.name() }.joined(separator: ", ")
    let substance = record.core.substance
    substance.report(
      .unknownKey,
      "no substance of the reactor (\(names)) has a key `\(key)`; \(substance.name()) has "
        + substance.keys.joined(separator: ", "),
      at: place
    )
  }
}
