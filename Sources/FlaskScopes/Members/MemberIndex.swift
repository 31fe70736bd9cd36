internal import Synchronization

/// What is known of a member whatever its type, so that a table of them is of one type.
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

/// The members of a container that scopes lead to, by the hashes of their identities: identities are the user's, and
/// are compared under no lock.
struct MemberIndex {
  struct Slot {
    var first: MemberNode
    var others: [MemberNode] = []
  }

  private var slots: [Int: Slot] = [:]

  /// Those of one identity, and perhaps others of its hash.
  subscript(hash: Int) -> Slot? { slots[hash] }

  var all: [MemberNode] { slots.values.flatMap { [$0.first] + $0.others } }

  mutating func insert(_ node: MemberNode) {
    if slots[node.identityHash]?.others.append(node) == nil {
      slots[node.identityHash] = Slot(first: node)
    }
  }

  mutating func remove(_ node: MemberNode) {
    guard var slot = slots[node.identityHash] else { return }
    if slot.first !== node {
      slot.others.removeAll { $0 === node }
    } else if let next = slot.others.popLast() {
      slot.first = next
    } else {
      slots[node.identityHash] = nil
      return
    }
    slots[node.identityHash] = slot
  }
}
