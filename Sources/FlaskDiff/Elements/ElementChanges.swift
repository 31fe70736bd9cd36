/// The differences of two collections of identifiable elements: enough to drive a table view.
///
/// Offsets of removals are offsets in the old collection, and offsets of insertions are offsets in the new collection.
/// Moves and updates have both. To get the new collection from the old collection, first remove the removed and the
/// moved elements, by old offsets from the last to the first. Then insert the inserted and the moved elements, by new
/// offsets from the first to the last. Then replace the updated elements: see ``applied(to:)``.
///
/// The number of moves is minimal. An element has not moved if only other elements have passed it, or if its neighbours
/// have changed because of insertions and removals. An element that has moved and has another value is among both moves
/// and updates. Whether two values differ is decided by the rules of ``StateDiff``, whatever their `==` says.
///
/// An identity should occur once in each collection. If an identity occurs several times, each occurrence is matched
/// with at most one occurrence in the other collection, and the result can still be applied.
public struct ElementChanges<Element: Identifiable> {
  /// An element that only one of the two collections has.
  public struct Placed {
    /// The element.
    public let element: Element
    /// The offset of the element in the collection that has it.
    public let offset: Int

    /// An element at an offset.
    public init(element: Element, offset: Int) {
      self.element = element
      self.offset = offset
    }
  }

  /// An element that only the new collection has, with its offset in the new collection.
  public typealias Insertion = Placed
  /// An element that only the old collection has, with its offset in the old collection.
  public typealias Removal = Placed

  /// An element whose order relative to the elements that stay has changed.
  public struct Move {
    /// The element as it is in the new collection.
    public let element: Element
    /// The offset of the element in the old collection.
    public let oldOffset: Int
    /// The offset of the element in the new collection.
    public let newOffset: Int

    /// A move.
    public init(element: Element, oldOffset: Int, newOffset: Int) {
      self.element = element
      self.oldOffset = oldOffset
      self.newOffset = newOffset
    }
  }

  /// An element that both collections have, with different values.
  public struct Update {
    /// The element as it was in the old collection.
    public let oldElement: Element
    /// The element as it is in the new collection.
    public let element: Element
    /// The offset of the element in the old collection.
    public let oldOffset: Int
    /// The offset of the element in the new collection.
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

  /// Makes a value from known changes. Each list must be in the order that its property describes.
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

  /// The elements of the new collection, made from the elements of the old collection.
  ///
  /// - Parameter old: The elements that the changes were found for.
  /// - Returns: `nil` if the old collection has too few elements for these changes.
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
