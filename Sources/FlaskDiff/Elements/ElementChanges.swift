/// The differences of two collections of identifiable elements: enough to drive a table view.
///
/// Offsets of removals are offsets in the old collection, those of insertions in the new one; moves and updates have
/// both. To get the new collection from the old one, remove the removed and moved elements, by old offsets from the
/// last to the first, insert the inserted and moved ones, by new offsets from the first to the last, and replace the
/// updated ones: see ``applied(to:)``.
///
/// Moves are as few as can be: an element that only others have passed, or that has other neighbours since something
/// was inserted or removed, has not moved. An element that has moved and has another value is among both moves and
/// updates. Whether two values differ is decided by the rules of ``StateDiff``, whatever their `==` says.
///
/// An identity should occur once in each collection. If it occurs several times, each occurrence is matched with at
/// most one of the other collection, and the result can still be applied.
public struct ElementChanges<Element: Identifiable> {
  /// An element that only one of the collections has.
  public struct Placed {
    /// The element.
    public let element: Element
    /// Its offset in the collection that has it.
    public let offset: Int

    /// An element at an offset.
    public init(element: Element, offset: Int) {
      self.element = element
      self.offset = offset
    }
  }

  /// An element that the new collection has and the old one has not, with its offset there.
  public typealias Insertion = Placed
  /// An element that the old collection has and the new one has not, with its offset there.
  public typealias Removal = Placed

  /// An element that others do not surround any more.
  public struct Move {
    /// The element as it is in the new collection.
    public let element: Element
    /// Its offset in the old collection.
    public let oldOffset: Int
    /// Its offset in the new collection.
    public let newOffset: Int

    /// A move.
    public init(element: Element, oldOffset: Int, newOffset: Int) {
      self.element = element
      self.oldOffset = oldOffset
      self.newOffset = newOffset
    }
  }

  /// An element of both collections whose value differs.
  public struct Update {
    /// The element as it was in the old collection.
    public let oldElement: Element
    /// The element as it is in the new collection.
    public let element: Element
    /// Its offset in the old collection.
    public let oldOffset: Int
    /// Its offset in the new collection.
    public let newOffset: Int

    /// An update.
    public init(oldElement: Element, element: Element, oldOffset: Int, newOffset: Int) {
      self.oldElement = oldElement
      self.element = element
      self.oldOffset = oldOffset
      self.newOffset = newOffset
    }
  }

  /// The inserted elements, in ascending order of offsets.
  public let insertions: [Insertion]
  /// The removed elements, in ascending order of offsets.
  public let removals: [Removal]
  /// The moved elements, in ascending order of new offsets.
  public let moves: [Move]
  /// The elements with a changed value, in ascending order of new offsets.
  public let updates: [Update]

  /// Changes that are known already; each list must be in the order of its property.
  public init(
    insertions: [Insertion] = [],
    removals: [Removal] = [],
    moves: [Move] = [],
    updates: [Update] = []
  ) {
    self.insertions = insertions
    self.removals = removals
    self.moves = moves
    self.updates = updates
  }

  /// The changes from an empty collection.
  package init(inserting elements: some Collection<Element>) {
    self.init(insertions: elements.enumerated().map { Insertion(element: $1, offset: $0) })
  }

  /// Whether the two collections are the same. Complexity: O(1).
  public var isEmpty: Bool {
    insertions.isEmpty && removals.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// The elements of the new collection, made from those of the old one.
  ///
  /// - Parameter old: The elements that the changes were found for.
  /// - Returns: `nil` if there are too few of them for these changes.
  /// - Complexity: O(elements).
  public func applied(to old: some Collection<Element>) -> [Element]? {
    var isGone = [Bool](repeating: false, count: old.count)
    for offset in removals.map(\.offset) + moves.map(\.oldOffset) {
      guard isGone.indices.contains(offset) else { return nil }
      isGone[offset] = true
    }
    var coming = insertions.map { (offset: $0.offset, element: $0.element) }
    coming += moves.map { (offset: $0.newOffset, element: $0.element) }
    coming = coming.ordered { $0.offset }
    var new: [Element] = []
    new.reserveCapacity(max(0, isGone.count + insertions.count - removals.count))
    var next = coming.startIndex
    func insertWhatComes() {
      while next < coming.endIndex, coming[next].offset == new.count {
        new.append(coming[next].element)
        next += 1
      }
    }
    for (element, isGone) in zip(old, isGone) where !isGone {
      insertWhatComes()
      new.append(element)
    }
    insertWhatComes()
    guard next == coming.endIndex else { return nil }
    for update in updates {
      guard new.indices.contains(update.newOffset) else { return nil }
      new[update.newOffset] = update.element
    }
    return new
  }
}

extension ElementChanges: Sendable where Element: Sendable {}
extension ElementChanges.Placed: Sendable where Element: Sendable {}
extension ElementChanges.Move: Sendable where Element: Sendable {}
extension ElementChanges.Update: Sendable where Element: Sendable {}

extension ElementChanges: Equatable where Element: Equatable {}
extension ElementChanges.Placed: Equatable where Element: Equatable {}
extension ElementChanges.Move: Equatable where Element: Equatable {}
extension ElementChanges.Update: Equatable where Element: Equatable {}

extension ElementChanges: CustomStringConvertible {
  /// One line for each change: `- offset: element`, `+ offset: element`, `offset > offset: element` for a move and
  /// `offset ~ offset: element` for an update.
  public var description: String {
    var lines = removals.map { "- \($0.offset): \($0.element)" }
    lines += insertions.map { "+ \($0.offset): \($0.element)" }
    lines += moves.map { "\($0.oldOffset) > \($0.newOffset): \($0.element)" }
    lines += updates.map { "\($0.oldOffset) ~ \($0.newOffset): \($0.element)" }
    return lines.joined(separator: "\n")
  }
}
