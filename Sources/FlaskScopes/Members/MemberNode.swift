internal import Synchronization

/// The type-erased state of a member, so that a table of them is of one type.
///
/// `@unchecked Sendable`:
/// - Invariant: constant or atomic; subclasses guard their own state.
/// - If violated: a data race.
class MemberNode: @unchecked Sendable {
  let identityHash: Int
  /// The last place of the member: where the search for it starts.
  private let lastPlace: Atomic<Int>

  init(identityHash: Int, place: Int) {
    self.identityHash = identityHash
    lastPlace = Atomic(place)
  }

  final var place: Int { lastPlace.load(ordering: .relaxed) }
  final func follow(to place: Int) { lastPlace.store(place, ordering: .relaxed) }
}
