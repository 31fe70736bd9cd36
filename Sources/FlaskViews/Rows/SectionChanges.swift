/// The differences of two states of sections: enough to drive a table view.
///
/// To get the new sections from the old ones, a table does the following, in this order:
/// 1. It removes the removed and the moved rows, by old places from the last to the first.
/// 2. It removes the removed sections, which are empty then, by old indexes from the last to the first.
/// 3. It inserts the inserted sections, empty, by new indexes from the first to the last.
/// 4. It inserts the inserted and the moved rows, by new places from the first to the last.
/// 5. It replaces the updated rows, by new places.
///
/// The rows of a section that comes or goes are listed one by one, too. Sections never move: they are in the order of
/// their keys. A row that changes its section has moved.
public struct SectionChanges<Key: Hashable, Element: Identifiable> {
  /// A place in a table: the index of a section, and the index of a row in it.
  public struct Place: Hashable, Comparable, Sendable {
    /// The index of the section.
    public let section: Int
    /// The index of the row in the section.
    public let row: Int

    /// Whether one place comes before another.
    public static func < (a: Place, b: Place) -> Bool { (a.section, a.row) < (b.section, b.row) }
  }

  /// A section that only the old or only the new state has.
  public struct Section {
    /// The key of the section.
    public let key: Key
    /// The index of the section in the state that has it.
    public let index: Int
  }

  /// A row that only the old or only the new state has.
  public struct Row {
    /// The element.
    public let element: Element
    /// The place of the row in the state that has it.
    public let place: Place
  }

  /// A row whose order among the rows that stay has changed, or whose section has.
  public struct Move {
    /// The element as it is in the new state.
    public let element: Element
    /// The place of the row in the old state.
    public let oldPlace: Place
    /// The place of the row in the new state.
    public let newPlace: Place
  }

  /// A row with another value.
  public struct Update {
    /// The element as it was in the old state.
    public let oldElement: Element
    /// The element as it is in the new state.
    public let element: Element
    /// The place of the row in the old state.
    public let oldPlace: Place
    /// The place of the row in the new state.
    public let newPlace: Place
  }

  /// The sections that have come, in ascending order.
  public internal(set) var insertedSections: [Section] = []
  /// The sections that have gone, in ascending order.
  public internal(set) var removedSections: [Section] = []
  /// The rows that have come, in ascending order.
  public internal(set) var insertions: [Row] = []
  /// The rows that have gone, in ascending order.
  public internal(set) var removals: [Row] = []
  /// The rows that have moved, in ascending order of new places.
  public internal(set) var moves: [Move] = []
  /// The rows with another value, in ascending order of new places.
  public internal(set) var updates: [Update] = []

  /// Whether both states are the same. Complexity: O(1).
  public var isEmpty: Bool {
    insertedSections.isEmpty && removedSections.isEmpty && insertions.isEmpty && removals.isEmpty
      && moves.isEmpty
      && updates.isEmpty
  }
}

extension SectionChanges: Sendable where Key: Sendable, Element: Sendable {}
extension SectionChanges.Section: Sendable where Key: Sendable, Element: Sendable {}
extension SectionChanges.Row: Sendable where Key: Sendable, Element: Sendable {}
extension SectionChanges.Move: Sendable where Key: Sendable, Element: Sendable {}
extension SectionChanges.Update: Sendable where Key: Sendable, Element: Sendable {}

extension SectionChanges: CustomStringConvertible {
  /// One line for each change, as `ElementChanges` is described. A place is written as `section.row`.
  public var description: String {
    func text(_ place: Place) -> String { "\(place.section).\(place.row)" }
    var lines = removedSections.map { "- \($0.index): \($0.key)" }
    lines += insertedSections.map { "+ \($0.index): \($0.key)" }
    lines += removals.map { "- \(text($0.place)): \($0.element)" }
    lines += insertions.map { "+ \(text($0.place)): \($0.element)" }
    lines += moves.map { "\(text($0.oldPlace)) > \(text($0.newPlace)): \($0.element)" }
    lines += updates.map { "\(text($0.oldPlace)) ~ \(text($0.newPlace)): \($0.element)" }
    return lines.joined(separator: "\n")
  }
}
