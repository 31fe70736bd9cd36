internal import Synchronization

/// What is known of a member whatever its type, so that a table of them is of one type.
///
/// `@unchecked Sendable`: constant or atomic, but for `next`, which belongs to the index that it is in; subclasses
/// guard what they add.
class MemberNode: @unchecked Sendable {
  let identityHash: Int
  /// Where the member was found last: where it is looked for first.
  private let lastPlace: Atomic<Int>
  /// Another one with the same hash.
  fileprivate final var next: MemberNode?

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
  private var firsts: [Int: MemberNode] = [:]

  /// The first of those with a hash: of one identity, and perhaps of others; and the rest of them.
  subscript(hash: Int) -> (first: MemberNode, others: [MemberNode])? {
    firsts[hash].map { ($0, others(behind: $0)) }
  }

  var all: [MemberNode] { firsts.values.flatMap { [$0] + others(behind: $0) } }

  private func others(behind first: MemberNode) -> [MemberNode] {
    var others: [MemberNode] = []
    var node = first.next
    while let present = node {
      others.append(present)
      node = present.next
    }
    return others
  }

  mutating func insert(_ node: MemberNode) { node.next = firsts.updateValue(node, forKey: node.identityHash) }

  mutating func remove(_ node: MemberNode) {
    defer { node.next = nil }
    var previous = firsts[node.identityHash]
    if previous === node {
      firsts[node.identityHash] = node.next
      return
    }
    while let other = previous, other.next !== node { previous = other.next }
    previous?.next = node.next
  }
}
