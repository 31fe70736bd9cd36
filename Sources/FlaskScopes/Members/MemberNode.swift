internal import Synchronization

/// The type-erased state of a member, so that a table of them is of one type.
///
/// `@unchecked Sendable`: constant or atomic; subclasses guard what they add.
class MemberNode: @unchecked Sendable {
  let identityHash: Int
  /// Where the member was found last: where it is looked for first.
  private let lastPlace: Atomic<Int>

  init(identityHash: Int, place: Int) {
    self.identityHash = identityHash
    lastPlace = Atomic(place)
  }

  final var place: Int { lastPlace.load(ordering: .relaxed) }
  final func follow(to place: Int) { lastPlace.store(place, ordering: .relaxed) }
}
