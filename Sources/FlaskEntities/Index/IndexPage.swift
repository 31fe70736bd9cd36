/// A part of an `IdentityIndex`: a small hash table with open addressing.
///
/// An entry has 32 bits of a hash in its upper half, and the number of an element plus 1 in its lower half. A free slot
/// is 0. The uppermost bits of the hash select the pair of slots to which an entry belongs. The entry is in the first
/// slot of the pair or behind it, with no free slot in between.
@usableFromInline
final class IndexPage: ManagedBuffer<IndexPageHeader, UInt64> {
  /// Makes a page with room for a number of entries.
  static func make(for count: Int) -> IndexPage {
    var bits = IndexPageHeader.smallestBits
    while count * 4 > (1 << bits) * 3 { bits += 1 }
    let page = IndexPage.create(minimumCapacity: 1 << bits) { _ in IndexPageHeader(bits: bits) }
    page.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: 1 << bits) }
    // The cast is safe: `create` makes an instance of the class on which it is called.
    return unsafeDowncast(page, to: IndexPage.self)
  }

  /// Returns a copy of the page with room for `count` more entries.
  func copy(adding count: Int = 0) -> IndexPage {
    if (info.count + count) * 4 <= capacityOfPlaces * 3 {
      let copy = IndexPage.create(minimumCapacity: capacityOfPlaces) { _ in info }
      copy.withUnsafeMutablePointerToElements { $0.initialize(from: places, count: capacityOfPlaces) }
      return unsafeDowncast(copy, to: IndexPage.self)
    }
    let copy = IndexPage.make(for: info.count + count)
    forEach { copy.insert($0) }
    return copy
  }

  @inlinable @inline(__always)
  var places: UnsafeMutablePointer<UInt64> { withUnsafeMutablePointerToElements { $0 } }
  private var capacityOfPlaces: Int { info.mask + 1 }

  var hasRoom: Bool { (info.count + 1) * 4 <= capacityOfPlaces * 3 }

  func forEach(_ body: (UInt64) -> Void) {
    for index in 0...info.mask where places[index] != 0 { body(places[index]) }
  }

  /// Adds an entry; the page must have room.
  func insert(_ entry: UInt64) {
    var index = home(of: entry)
    while places[index] != 0 { index = (index + 1) & info.mask }
    places[index] = entry
    info.count += 1
  }

  /// Adds an entry, unless the page has an entry with the same hash for which `areSame` returns `true`. The page must
  /// have room.
  ///
  /// - Returns: whether the entry was added.
  func insert(_ entry: UInt64, unless areSame: (Int, Int) -> Bool) -> Bool {
    var index = home(of: entry)
    while places[index] != 0 {
      let other = places[index]
      if other >> 32 == entry >> 32, areSame(Self.number(in: other), Self.number(in: entry)) { return false }
      index = (index + 1) & info.mask
    }
    places[index] = entry
    info.count += 1
    return true
  }

  private static func number(in entry: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: entry)) - 1 }

  /// Replaces an entry by another entry with the same hash.
  ///
  /// - Returns: whether the page contained the entry.
  func replace(_ entry: UInt64, with new: UInt64) -> Bool {
    guard let index = index(of: entry) else { return false }
    places[index] = new
    return true
  }

  /// The entry with a number, whatever its hash. Complexity: O(slots).
  func entry(of number: Int) -> UInt64? {
    let wanted = UInt32(truncatingIfNeeded: number + 1)
    for index in 0...info.mask where UInt32(truncatingIfNeeded: places[index]) == wanted {
      return places[index]
    }
    return nil
  }

  /// Removes an entry, and closes the gap.
  ///
  /// - Returns: whether the page contained the entry.
  func remove(_ entry: UInt64) -> Bool {
    guard var gap = index(of: entry) else { return false }
    info.count -= 1
    let mask = info.mask
    var index = gap
    while true {
      index = (index + 1) & mask
      let next = places[index]
      if next == 0 { break }
      // A later entry may fill the gap of the removed one, unless the gap is before the first slot that the entry's
      // hash selects.
      if (index - home(of: next)) & mask >= (index - gap) & mask {
        places[gap] = next
        gap = index
      }
    }
    places[gap] = 0
    return true
  }

  private func home(of entry: UInt64) -> Int { info.home(of: UInt32(truncatingIfNeeded: entry >> 32)) }

  private func index(of entry: UInt64) -> Int? {
    var index = home(of: entry)
    while places[index] != 0 {
      if places[index] == entry { return index }
      index = (index + 1) & info.mask
    }
    return nil
  }
}

extension IndexPage: VectorObject {
  /// Nodes of the index have more slots than nodes of leaves: pages change only when elements are added or removed, and
  /// each lookup passes all levels.
  @inlinable static var slotBits: Int { 5 }

  /// Encodes the number of slots, if it is one of the usual numbers. A lookup can then compute the slot of an entry
  /// without reading the header, which is in another cache line.
  @usableFromInline var tag: UInt {
    info.shift > IndexPageHeader.untaggedShift ? UInt(info.shift - IndexPageHeader.untaggedShift) : 0
  }
}

@usableFromInline
struct IndexPageHeader {
  /// The minimum number of slots of a page is 2 to the power of this.
  @inlinable static var smallestBits: UInt32 { 3 }
  /// A page whose `shift` is at most this value is so large that no tag (1 to 7) encodes its number of slots. The
  /// smallest page has the largest tag, 7.
  @inlinable static var untaggedShift: UInt32 { 32 &- smallestBits &- 7 }

  @usableFromInline var count = 0
  /// The number of bits by which a hash is shifted, so that the remaining uppermost bits select a slot.
  @usableFromInline let shift: UInt32

  init(bits: UInt32) { shift = 32 - bits }

  /// A header with the number of slots of a page, from the tag in the slot that refers to the page; `nil` if the tag
  /// does not encode it.
  @inlinable @inline(__always)
  init?(tag: Int) {
    if tag == 0 { return nil }
    shift = Self.untaggedShift &+ UInt32(truncatingIfNeeded: tag)
  }

  /// The number of slots, a power of two, minus one.
  @inlinable @inline(__always)
  var mask: Int { Int(truncatingIfNeeded: UInt32.max &>> shift) }

  /// The first slot of the pair for a hash.
  @inlinable @inline(__always)
  func home(of hash: UInt32) -> Int { Int(truncatingIfNeeded: hash &>> shift) & ~1 }
}
