/// The offsets at which the sections of a list begin.
struct SectionStarts: Sendable {
  /// Ascending; the first is 0 if the list is not empty.
  private(set) var offsets: [Int] = []

  /// - Parameter isStart: whether a section begins at an offset.
  init(count: Int, isStart: (Int) -> Bool) {
    for offset in 0..<count where isStart(offset) { offsets.append(offset) }
  }

  /// The index of the section that contains an offset.
  func section(of offset: Int) -> Int { firstIndex(from: offset + 1) - 1 }

  /// The index of the first section that begins at an offset or after it.
  private func firstIndex(from offset: Int) -> Int {
    var first = 0
    var end = offsets.count
    while first < end {
      let middle = (first + end) / 2
      if offsets[middle] >= offset { end = middle } else { first = middle + 1 }
    }
    return first
  }

  /// - Parameter count: the length of the list after the removal.
  mutating func didRemove(at offset: Int, count: Int) {
    let section = section(of: offset)
    let end = section + 1 < offsets.count ? offsets[section + 1] : count + 1
    for index in section + 1..<offsets.count { offsets[index] -= 1 }
    if end - 1 == offset && offsets[section] == offset { offsets.remove(at: section) }
  }

  mutating func didInsert(at offset: Int, isStart: Bool, isNextStart: Bool) {
    for index in firstIndex(from: offset)..<offsets.count { offsets[index] += 1 }
    set(offset, isStart)
    set(offset + 1, isNextStart)
  }

  private mutating func set(_ offset: Int, _ isStart: Bool) {
    let place = firstIndex(from: offset)
    let isThere = place < offsets.count && offsets[place] == offset
    if isStart && !isThere { offsets.insert(offset, at: place) }
    if !isStart && isThere { offsets.remove(at: place) }
  }
}
