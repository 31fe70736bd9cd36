/// The keys of a layout that differ between two values, and the memory that differs (the dirty leaves).
///
/// A set is made to be reused. Once its arrays have grown to the needs of a layout, filling it allocates nothing. With
/// up to 64 keys and four dirty leaves it never allocates.
@usableFromInline
package struct ChangeSet: Sendable {
  @usableFromInline private(set) var firstKeys: UInt64 = 0
  private var moreKeys: [UInt64] = []
  @usableFromInline private(set) var hasMoreKeys = false
  private var firstLeaves = SIMD4<Int32>()
  private var moreLeaves: [Int32] = []

  /// The entry in which the last comparison of a dictionary found a difference. The next comparison of any dictionary
  /// looks at this entry first.
  var hint: String?

  /// The number of leaves (units of memory) with different bits, even if their values are equal.
  @usableFromInline package private(set) var dirtyCount = 0

  /// A set without changes.
  package init() {}

  /// Whether no key differs.
  @inlinable
  package var isEmpty: Bool { firstKeys == 0 && !hasMoreKeys }

  /// Whether any memory differs, including the memory of hidden properties.
  @inlinable
  package var hasDirty: Bool { dirtyCount > 0 }

  /// Whether a key of the state beyond its first 64 keys differs.
  @inlinable
  package var isBeyondFirstWord: Bool { hasMoreKeys }

  /// The keys from 0 to 63 as a bit set, with key 0 in the lowest bit.
  @inlinable
  package var firstWord: UInt64 { firstKeys }

  /// Whether a key differs. Complexity: O(1).
  @inlinable
  package func contains(_ key: Int) -> Bool {
    key >= 0 && key < 64 ? firstKeys & (1 &<< UInt64(key)) != 0 : containsBeyondFirstWord(key)
  }

  @usableFromInline
  func containsBeyondFirstWord(_ key: Int) -> Bool {
    guard key >= 64 else { return false }
    let word = (key - 64) >> 6
    return hasMoreKeys && word < moreKeys.count && moreKeys[word] & (1 << UInt64(key & 63)) != 0
  }

  /// Calls `body` with the index of each key that differs, in ascending order.
  package func forEachKey(_ body: (Int) -> Void) {
    for word in 0..<wordCount {
      var bits = self.word(at: word)
      while bits != 0 {
        body(word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }

  /// The number of words, each for 64 keys, that ``word(at:)`` can return.
  package var wordCount: Int { hasMoreKeys ? 1 + moreKeys.count : 1 }

  /// Returns 64 keys of the set as a bit set in one word, the lowest key in the lowest bit. The word 0 has the keys
  /// from 0 to 63.
  package func word(at index: Int) -> UInt64 {
    index == 0 ? firstKeys : index <= moreKeys.count ? moreKeys[index - 1] : 0
  }

  /// Removes all keys and dirty leaves. The allocated memory and `hint` are kept.
  package mutating func removeAll() {
    firstKeys = 0
    dirtyCount = 0
    if !moreLeaves.isEmpty { moreLeaves.removeAll(keepingCapacity: true) }
    guard hasMoreKeys else { return }
    hasMoreKeys = false
    for word in moreKeys.indices { moreKeys[word] = 0 }
  }

  /// Adds the changed keys of another set of the same layout. Its dirty leaves, the units of memory with other bits,
  /// are not added.
  package mutating func formUnion(_ other: borrowing ChangeSet) {
    firstKeys |= other.firstKeys
    guard other.hasMoreKeys else { return }
    growKeys(to: other.moreKeys.count)
    for word in other.moreKeys.indices { moreKeys[word] |= other.moreKeys[word] }
  }

  /// Adds keys below 64.
  mutating func insert(mask: UInt64) { firstKeys |= mask }

  /// Adds a key.
  package mutating func insert(_ key: Int) {
    guard key >= 64 else { return firstKeys |= 1 << UInt64(key) }
    let word = (key - 64) >> 6
    growKeys(to: word + 1)
    moreKeys[word] |= 1 << UInt64(key & 63)
  }

  mutating func insertDirty(_ leaf: Int) {
    if dirtyCount < 4 {
      firstLeaves[dirtyCount] = Int32(truncatingIfNeeded: leaf)
    } else {
      moreLeaves.append(Int32(truncatingIfNeeded: leaf))
    }
    dirtyCount += 1
  }

  /// Adds the dirty leaves (units of memory with other bits) of another set of the same layout, if `isWanted` returns
  /// true for them. Leaves that are already dirty are not added again.
  package mutating func insertDirty(of other: ChangeSet, where isWanted: (Int) -> Bool = { _ in true }) {
    for leaf in (0..<other.dirtyCount).map(other.dirtyLeaf) where !isDirty(leaf) && isWanted(leaf) {
      insertDirty(leaf)
    }
  }

  /// Adds the keys and the dirty leaves of another set of the same layout. Complexity: O(n) in the leaves of both.
  package mutating func formUnionOfAll(_ other: ChangeSet) {
    formUnion(other)
    let known = Set((0..<dirtyCount).map(dirtyLeaf))
    for leaf in (0..<other.dirtyCount).map(other.dirtyLeaf) where !known.contains(leaf) { insertDirty(leaf) }
  }

  /// Complexity: linear in the dirty leaves.
  package func isDirty(_ leaf: Int) -> Bool { (0..<dirtyCount).contains { dirtyLeaf(at: $0) == leaf } }

  func dirtyLeaf(at index: Int) -> Int { Int(index < 4 ? firstLeaves[index] : moreLeaves[index - 4]) }

  private mutating func growKeys(to count: Int) {
    hasMoreKeys = true
    while moreKeys.count < count { moreKeys.append(0) }
  }
}
