/// Maps hashes of identities to numbers of elements. It is a hash table whose copies share their pages.
///
/// Linear hashing: the table grows and shrinks by one page at a time, so no insertion has to touch all entries. It
/// stores no identities: a lookup compares the identity of each candidate element.
///
/// Invariant: each element has exactly one entry, and each entry has the number of an element. A lookup therefore never
/// reads memory without an element, and needs no check. The invariant must not depend on client code: an identity may
/// change behind the collection, or return different hashes. Then the entry of the element is not stored under the
/// present hash, and is found by the number of the element, which is unique.
@usableFromInline
struct IdentityIndex {
  @usableFromInline var pages = PersistentVector<IndexPage>()
  /// The number of entries.
  @usableFromInline private(set) var count = 0
  @usableFromInline var pageCount = 0
  /// Selects the bits of a hash that determine its page. It is the smallest power of two that is larger than the number
  /// of pages, minus one.
  @usableFromInline var mask: UInt32 = 0

  init() {}

  /// With more entries than this per page on average, a page is added; with less than a quarter, a page is removed.
  private static var entriesPerPage: Int { 64 }

  /// Whether two tables share all nodes, and so have the same entries. This is so if one table is a copy of the other,
  /// and no entry was added, removed or replaced since.
  func isSame(as other: IdentityIndex) -> Bool { pages.root != nil && pages.root === other.pages.root }

  static func entry(_ hash: UInt32, _ number: Int) -> UInt64 {
    UInt64(hash) << 32 | UInt64(truncatingIfNeeded: number + 1)
  }

  /// The page for the entries with a hash.
  @inlinable @inline(__always)
  func page(of hash: UInt32) -> Int {
    let page = Int(hash & mask)
    return page < pageCount ? page : Int(hash & mask >> 1)
  }

  /// Adds an entry. Complexity: O(log n) on average.
  @usableFromInline
  mutating func insert(_ hash: UInt32, _ number: Int) {
    if pageCount == 0 { addPage(.make(for: 1)) }
    let page = page(of: hash)
    withUniquePage(page, adding: 1) { $0.insert(Self.entry(hash, number)) }
    count += 1
    if count > pageCount * Self.entriesPerPage { split() }
  }

  /// Removes the entry with a number. Complexity: O(log n) on average if the entry is stored under the given hash, else
  /// O(n).
  @usableFromInline
  mutating func remove(_ hash: UInt32, _ number: Int) {
    guard withUniquePage(page(of: hash), { $0.remove(Self.entry(hash, number)) }) else {
      if let known = self.hash(of: number) { remove(known, number) }
      return
    }
    count -= 1
    if pageCount > 1 && count < pageCount * Self.entriesPerPage / 4 { joinLast() }
  }

  /// Changes the number in an entry. Complexity: O(log n) on average if the entry is stored under the given hash, else
  /// O(n).
  @usableFromInline
  mutating func replace(_ hash: UInt32, _ number: Int, with new: Int) {
    let isFound = withUniquePage(page(of: hash)) {
      $0.replace(Self.entry(hash, number), with: Self.entry(hash, new))
    }
    if !isFound, let known = self.hash(of: number) { replace(known, number, with: new) }
  }

  /// The hash under which the entry of the given element number is stored. Needed if the identity of the element was
  /// changed, and has another hash now. Complexity: O(n).
  @inline(never)
  private func hash(of number: Int) -> UInt32? {
    for page in 0..<pageCount {
      let entry = Unmanaged<IndexPage>.fromOpaque(pages[page])._withUnsafeGuaranteedRef {
        $0.entry(of: number)
      }
      if let entry { return UInt32(truncatingIfNeeded: entry >> 32) }
    }
    return nil
  }

  /// Passes a page to `body`, after making it uniquely referenced, with room for the given number of additional
  /// entries.
  private mutating func withUniquePage<Result>(
    _ number: Int,
    adding count: Int = 0,
    _ body: (IndexPage) -> Result
  ) -> Result {
    let page = pages.makeUnique(number) { $0.copy(adding: count) }
    let unmanaged = Unmanaged<IndexPage>.fromOpaque(page)
    if count > 0, !unmanaged._withUnsafeGuaranteedRef({ $0.hasRoom }) {
      let larger = unmanaged._withUnsafeGuaranteedRef { $0.copy(adding: count) }
      let result = body(larger)
      pages.replace(number, with: larger)
      return result
    }
    return unmanaged._withUnsafeGuaranteedRef(body)
  }

  /// Adds the entries of elements with the numbers from 0 on; the table must be empty. The entries are sorted by page,
  /// so that each page is written at once.
  ///
  /// - Parameters:
  ///   - hashes: the hashes of the identities.
  ///   - areSame: whether two elements have one identity. It is called with elements that have one hash.
  /// - Returns: `true` if all identities differ. Otherwise the entries must not be used.
  @usableFromInline
  mutating func fill(with hashes: [UInt32], areSame: (Int, Int) -> Bool) -> Bool {
    setPageCount(max(1, hashes.count / Self.entriesPerPage))
    // For each page, the position of its first entry; while the entries are written, the position of the page's next
    // entry.
    var places = [Int](repeating: 0, count: pageCount + 1)
    for hash in hashes { places[page(of: hash) + 1] += 1 }
    for page in 0..<pageCount { places[page + 1] += places[page] }
    let sorted = [UInt64](unsafeUninitializedCapacity: hashes.count) { entries, count in
      for (number, hash) in hashes.enumerated() {
        let page = page(of: hash)
        entries[places[page]] = Self.entry(hash, number)
        places[page] += 1
      }
      count = hashes.count
    }
    var start = 0
    for end in places.dropLast() {
      let page = IndexPage.make(for: end - start)
      for entry in sorted[start..<end] where !page.insert(entry, unless: areSame) { return false }
      _ = pages.insert(page)
      start = end
    }
    count = hashes.count
    return true
  }

  private mutating func addPage(_ page: IndexPage) {
    _ = pages.insert(page)
    setPageCount(pageCount + 1)
  }

  private mutating func setPageCount(_ count: Int) {
    pageCount = count
    mask = UInt32(truncatingIfNeeded: 1 << (Int.bitWidth - count.leadingZeroBitCount) - 1)
  }

  /// Adds a page, and splits an earlier page: some entries of the earlier page move to the new page.
  private mutating func split() {
    let new = pageCount
    let half = 1 << (Int.bitWidth - 1 - new.leadingZeroBitCount)
    let source = new - half
    var staying: [UInt64] = []
    var moving: [UInt64] = []
    let bits = UInt64(half << 1 - 1)
    Unmanaged<IndexPage>.fromOpaque(pages[source])._withUnsafeGuaranteedRef { page in
      page.forEach { if ($0 >> 32) & bits == UInt64(new) { moving.append($0) } else { staying.append($0) } }
    }
    pages.replace(source, with: Self.page(with: staying))
    addPage(Self.page(with: moving))
  }

  /// Removes the last page, and moves its entries to the page from which it was split.
  private mutating func joinLast() {
    let last = pageCount - 1
    let target = last - 1 << (Int.bitWidth - 1 - last.leadingZeroBitCount)
    var entries: [UInt64] = []
    for number in [target, last] {
      Unmanaged<IndexPage>.fromOpaque(pages[number])._withUnsafeGuaranteedRef { page in
        page.forEach { entries.append($0) }
      }
    }
    pages.replace(target, with: Self.page(with: entries))
    pages.removeLast()
    setPageCount(last)
  }

  private static func page(with entries: [UInt64]) -> IndexPage {
    let page = IndexPage.make(for: entries.count)
    for entry in entries { page.insert(entry) }
    return page
  }
}
