/// The members of a container that scopes lead to. By the performer.
package final class KnownMembers<M: Membership> {
  let entries: [MemberEntry<M>]
  /// The same by the hashes of their identities, for containers that know by themselves whose element has changed.
  /// By hashes, and not by the identities, since tables of a generic type are slow where that is not known.
  private lazy var byHash = PlacesByHash(entries.map { $0.membership.identityHash })

  /// Calls `body` with each of the entries whose identity has a hash: those of an identity, and perhaps others.
  ///
  /// Complexity: O(1) on average; the first time after a scope was made or went, O(n) in the entries.
  func forEach(ofHash hash: Int, _ body: (MemberEntry<M>) -> Void) {
    byHash.forEach(hash) { body(entries[$0]) }
  }

  init(_ entries: [MemberEntry<M>]) { self.entries = entries }
}

/// A table from hashes to the places that they have in a list, with open addressing. Constant.
struct PlacesByHash {
  private struct Slot {
    var hash = 0
    /// -1 in a slot that is free.
    var place = -1
  }

  /// At least a half are free. A power of two.
  private var slots: [Slot]
  private let shift: UInt64

  init(_ hashes: [Int]) {
    let bits = Int.bitWidth - (2 * hashes.count).leadingZeroBitCount
    shift = UInt64(64 - bits)
    slots = Array(repeating: Slot(), count: 1 << bits)
    for (place, hash) in hashes.enumerated() {
      var index = home(of: hash)
      while slots[index].place >= 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = Slot(hash: hash, place: place)
    }
  }

  /// Calls `body` with the places of a hash, in ascending order.
  func forEach(_ hash: Int, _ body: (Int) -> Void) {
    var index = home(of: hash)
    while slots[index].place >= 0 {
      if slots[index].hash == hash { body(slots[index].place) }
      index = (index + 1) & (slots.count - 1)
    }
  }

  private func home(of hash: Int) -> Int {
    // Multiplied, since a type may have a `hashValue` of its own that leaves bits unused.
    let mixed = UInt64(truncatingIfNeeded: hash) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> shift)
  }
}
