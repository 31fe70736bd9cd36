internal import Synchronization

/// The type-erased base class of what is known about a member of a container, so that members of all types fit into one
/// table.
///
/// `@unchecked Sendable`:
/// - Invariant: constant or atomic; subclasses guard their own state.
/// - If violated: a data race.
class MemberNode: @unchecked Sendable {
  let identityHash: Int
  /// The last known index of the member, at which a search begins.
  private let lastPlace: Atomic<Int>

  init(identityHash: Int, place: Int) {
    self.identityHash = identityHash
    lastPlace = Atomic(place)
  }

  final var place: Int { lastPlace.load(ordering: .relaxed) }
  final func follow(to place: Int) { lastPlace.store(place, ordering: .relaxed) }
}
