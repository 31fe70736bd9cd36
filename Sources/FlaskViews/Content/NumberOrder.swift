internal import FlaskEntities

/// An order of the elements of one version of a base, which are given by their numbers.
struct NumberOrder: Sendable {
  let slots: EntitySlots
  /// The most significant comes first. Ties are in the order of the base.
  let orders: [ElementOrder]

  func isBefore(_ a: Int, _ b: Int) -> Bool {
    if !orders.isEmpty {
      let first = slots.element(a)
      let second = slots.element(b)
      for order in orders {
        let result = order.compare(first, second)
        if result != 0 { return result < 0 }
      }
    }
    return slots.isBefore(a, b)
  }

  /// The offset at which a number is to be inserted into a list that has this order.
  func place(of number: Int, in list: NumberList) -> Int {
    if orders.isEmpty {
      let offset = slots.offset(of: number)
      return list.firstOffset { slots.offset(of: $0) >= offset }
    }
    let element = slots.element(number)
    let compare = orders[0].compare
    // Only a tie needs it.
    var offset: Int?
    return list.firstOffset { other in
      let otherElement = slots.element(other)
      var result = compare(element, otherElement)
      for order in orders.dropFirst() where result == 0 { result = order.compare(element, otherElement) }
      if result != 0 || other == number { return result <= 0 }
      offset = offset ?? slots.offset(of: number)
      return offset.map { $0 < slots.offset(of: other) } ?? true
    }
  }

  /// The offset of a number in a list that has this order. `nil` if it is not there, or if the orders contradict
  /// themselves.
  func offset(of number: Int, in list: NumberList) -> Int? {
    let place = place(of: number, in: list)
    return place < list.count && list[place] == number ? place : nil
  }

  // Client code may break its contract: a comparator may contradict itself, and a test may return another result for
  // the same element. Then the binary search may miss the number of a removed element, which would stay in the list
  // without an element. So a short list is searched completely, and a long list is sampled when it is made
  // (`isContradicted(by:)`).

  static var fewEnough: Int { 512 }

  /// Whether a number is in a list, wherever it is.
  fileprivate func contains(_ number: Int, in list: NumberList) -> Bool {
    if orders.isEmpty { return false }
    var rest = list.makeIterator(from: 0)
    while let next = rest.next() { if next == number { return true } }
    return false
  }

  /// Whether neighbours in a sorted list are in the wrong order, so that the orders contradict themselves. Compares a
  /// sample of about 64 pairs. Short lists are not checked.
  func isContradicted(by list: NumberList) -> Bool {
    if orders.isEmpty || list.count <= NumberOrder.fewEnough { return false }
    return stride(from: 1, to: list.count, by: list.count / 64).contains { offset in
      !isBefore(list[offset - 1], list[offset]) || isBefore(list[offset], list[offset - 1])
    }
  }

  /// All numbers that pass the tests, in order.
  func numbers(passing tests: ElementTests) -> NumberList {
    var numbers: [UInt32] = []
    var elements: [UnsafeRawPointer] = []
    if tests.isEmpty { numbers.reserveCapacity(slots.count) }
    slots.forEach { element, number in
      if !tests.pass(element, number) { return }
      numbers.append(UInt32(truncatingIfNeeded: number))
      if !orders.isEmpty { elements.append(element) }
    }
    // Each sort is stable, so the most significant order comes last.
    for order in orders.reversed() {
      let places = order.sort(elements)
      numbers = places.map { numbers[$0] }
      if orders.count > 1 { elements = places.map { elements[$0] } }
    }
    return NumberList(numbers)
  }
}

/// The places at which a list of numbers differs from an earlier version of it.
struct NumberEdits: Sendable {
  /// The offsets in the old list of the numbers that it has lost, or that may have another place; ascending.
  var left: [Int] = []
  /// The offsets in the new list of the numbers that are new, or that may have another place; ascending.
  var entered: [Int] = []
  /// The old and new offsets of numbers that kept their places, and whose elements may have changed.
  var kept: [(old: Int, new: Int)] = []
}

extension NumberList {
  /// Changes a list from an old order to a new one.
  ///
  /// - Parameters:
  ///   - changes: the numbers whose elements differ. All others have the same order in both.
  ///   - wasIn: whether the list has a number of the old elements.
  ///   - isIn: whether the list is to have a number of the new elements.
  ///   - didEdit: called after each number that was removed or inserted, with the list, the offset, and whether it was
  ///     inserted.
  /// - Returns: `nil` if a test or an order contradicts an earlier result, so that the list must be made from scratch.
  mutating func update(
    _ changes: SlotChanges,
    from old: NumberOrder,
    to new: NumberOrder,
    wasIn: (Int) -> Bool,
    isIn: (Int) -> Bool,
    didEdit: (NumberList, Int, _ isInserted: Bool) -> Void
  ) -> NumberEdits? {
    var edits = NumberEdits()
    for number in changes.gone + changes.updated {
      let offset = old.offset(of: number, in: self)
      if (offset != nil) != wasIn(number) { return nil }
      if let offset {
        edits.left.append(offset)
      } else if count <= NumberOrder.fewEnough && old.contains(number, in: self) {
        return nil
      }
    }
    var entering = (changes.come + changes.updated).filter(isIn)
    if let number = changes.updated.first, changes.count == 1, entering.count == 1,
      let offset = edits.left.first
    {
      // The most frequent change: one element, which most often keeps its place.
      let isInPlace =
        (offset == 0 || new.isBefore(self[offset - 1], number))
        && (offset + 1 == count || new.isBefore(number, self[offset + 1]))
      if isInPlace { return NumberEdits(kept: [(offset, offset)]) }
    }
    edits.left.sort()
    for offset in edits.left.reversed() {
      remove(at: offset)
      didEdit(self, offset, false)
    }
    entering.sort { new.isBefore($0, $1) }
    for number in entering {
      let offset = new.place(of: number, in: self)
      // With a strict order the places ascend.
      if let last = edits.entered.last, offset <= last { return nil }
      insert(number, at: offset)
      edits.entered.append(offset)
      didEdit(self, offset, true)
    }
    return edits
  }
}

/// Walks the numbers of a list, or of a whole base.
struct NumberIterator: Sendable {
  private var list: NumberList.Iterator?
  private var base: EntitySlots.Iterator?

  init(_ list: NumberList?, _ slots: EntitySlots, from offset: Int) {
    self.list = list?.makeIterator(from: offset)
    base = list == nil ? slots.makeIterator(from: offset) : nil
  }

  mutating func next() -> Int? { list?.next() ?? base?.next() }
}

extension ViewContent {
  /// The shown numbers.
  final var shownNumbers: Set<Int> {
    var shown = Set<Int>(minimumCapacity: range.count)
    var rest = numbers(from: range.lowerBound)
    for _ in range { if let number = rest.next() { shown.insert(number) } }
    return shown
  }

  /// Walks the shown numbers, beginning at an offset.
  final func numbers(from offset: Int) -> NumberIterator {
    NumberIterator(numbers, order.slots, from: offset)
  }
}
