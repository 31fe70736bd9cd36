/// The substances of a reactor. It retains not the substances, but their `Subject` objects, which show whether the
/// substances are alive.
@usableFromInline
final class ReactorMembers: Sendable {
  @usableFromInline let subjects: [Subject]
  /// The substances as a set; empty if they are so few that a linear search is faster.
  private let index: Set<ObjectIdentifier>
  /// `true` for the placeholder that an owner without a reactor gets. The missing reactor was reported as a fault, so a
  /// substance that the placeholder refuses is not reported.
  private let isMissing: Bool
  /// Where the reactor was made.
  let location: SourcePlace?

  /// No substances, for the reactor that `getReactor` returns if an owner has none.
  static let missing = ReactorMembers([], isMissing: true)

  init(_ substances: [AnySubstance], at location: SourcePlace? = nil, isMissing: Bool = false) {
    self.isMissing = isMissing
    self.location = location
    subjects = substances.map(\.cell.subject)
    index = subjects.count > Self.scanned ? Set(subjects.map { ObjectIdentifier($0) }) : []
  }

  /// The substances without duplicates, in the order of their first appearance.
  var distinct: [Subject] {
    if subjects.count < 2 { return subjects }
    var seen: Set<ObjectIdentifier> = []
    return subjects.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Whether the reactor has the substance of `cell`.
  @inlinable
  func contains(_ cell: Cell) -> Bool {
    let wanted = cell.subject
    if subjects.count > ReactorMembers.scanned { return indexContains(ObjectIdentifier(wanted)) }
    for subject in subjects where subject === wanted { return true }
    return false
  }

  @usableFromInline
  func indexContains(_ identifier: ObjectIdentifier) -> Bool { index.contains(identifier) }

  /// Up to how many are looked through.
  @usableFromInline static var scanned: Int { 32 }

  /// Returns whether a chain of the reactor that begins with `first` may also mix `substance`. If not, a fault is
  /// reported.
  @inline(__always)
  func accept(_ substance: AnySubstance, after first: Cell, at location: SourcePlace) -> Bool {
    if contains(substance.cell), substance.cell.flux === first.flux {
      return !substance.cell.refuseInDeinit(at: location)
    }
    return refuse(substance, after: first, at: location)
  }

  /// Refuses a chain that begins with `substance`, which is no substance of the reactor. Reports a fault, unless the
  /// missing reactor was reported before.
  ///
  /// - Returns: `true`.
  @usableFromInline
  func hasReported(_ substance: AnySubstance, at location: SourcePlace) -> Bool {
    !refuse(substance, after: substance.cell, at: location)
  }

  /// Refuses `substance` as part of a chain. Reports a fault, unless the missing reactor was reported before.
  ///
  /// - Returns: `false`.
  private func refuse(_ substance: AnySubstance, after first: Cell, at location: SourcePlace)
    -> Bool
  {
    if isMissing { return false }
    if contains(substance.cell) {
      substance.report(
        .substancesOfDifferentFluxes,
        "\(first.subject.name) and \(substance.name()) belong to different fluxes; one chain can't span them, mix each alone",
        at: location
      )
    } else {
      substance.report(
        .substanceNotOfReactor,
        "\(substance.name()) was mixed through a reactor that was not made for it, so the chain is aborted; "
          + "name it in `mixing:` when attaching the reactor",
        at: location
      )
    }
    return false
  }

  /// Reports a key that no substance of the reactor has. Layouts live as long as the process: the keys of a deallocated
  /// substance stay known.
  func checkKnown(_ key: String, of commit: Commit, at location: SourcePlace) {
    if subjects.contains(where: { $0.layout.lookup(key) != .unknown }) { return }
    let names = subjects.filter(\.isAlive).map(\.name).joined(separator: ", ")
    let substance = commit.substance
    substance.report(
      .unknownKey,
      "no substance of the reactor (\(names)) has a key `\(key)`; \(substance.name()) has "
        + substance.keys.joined(separator: ", "),
      at: location
    )
  }
}
