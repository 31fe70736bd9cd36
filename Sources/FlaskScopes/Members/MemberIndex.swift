internal import Synchronization

/// What is known of a member whatever its type, so that a table of them is of one type.
///
/// `@unchecked Sendable`: constant or atomic, but for the links, which belong to the index that it is in; subclasses
/// guard what they add.
class MemberNode: @unchecked Sendable {
  let identityHash: Int
  /// Where the member was found last: where it is looked for first.
  private let lastPlace: Atomic<Int>
  /// Others with the same hash.
  fileprivate final var next: MemberNode?
  fileprivate final unowned(unsafe) var previous: MemberNode?

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
    guard let first = firsts[hash] else { return nil }
    var others: [MemberNode] = []
    var node = first.next
    while let present = node {
      others.append(present)
      node = present.next
    }
    return (first, others)
  }

  func forEach(_ body: (MemberNode) -> Void) {
    for first in firsts.values {
      var node: MemberNode? = first
      while let present = node {
        body(present)
        node = present.next
      }
    }
  }

  mutating func insert(_ node: MemberNode) {
    node.next = firsts.updateValue(node, forKey: node.identityHash)
    node.next?.previous = node
  }

  mutating func remove(_ node: MemberNode) {
    node.next?.previous = node.previous
    if let previous = node.previous {
      previous.next = node.next
    } else {
      firsts[node.identityHash] = node.next
    }
    (node.next, node.previous) = (nil, nil)
  }
}
