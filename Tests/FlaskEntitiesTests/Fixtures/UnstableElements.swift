import TestSupport

/// An element whose identity changes behind the collections that have it.
protocol UnstableElement: Identifiable {
  /// Tells one element from all others.
  var tag: Tag { get }
  static func make(_ id: Int, _ tag: Tag) -> Self
  /// Gives it another identity, if that is not so all the time.
  func disturb(_ id: Int)
  static func id(_ id: Int) -> ID
}

extension UnstableElement {
  func disturb(_ id: Int) {}
}

/// Counts how many of its kind there are. Its memory is read wherever an element is found.
final class Tag {
  final class Counter { var alive = 0 }
  let number: Int
  private let counter: Counter

  init(_ number: Int, _ counter: Counter) {
    self.number = number
    self.counter = counter
    counter.alive += 1
  }

  deinit { counter.alive -= 1 }
}

/// An object whose identity is a variable.
final class NamedObject: UnstableElement {
  var id: String
  let tag: Tag

  init(_ id: String, _ tag: Tag) {
    self.id = id
    self.tag = tag
  }

  static func make(_ id: Int, _ tag: Tag) -> NamedObject { NamedObject(Self.id(id), tag) }
  static func id(_ id: Int) -> String { "the identity of \(id)" }
  func disturb(_ id: Int) { self.id = Self.id(id) }
}

/// Its identity is equal to what it was, but has another hash.
struct RehashedRow: UnstableElement {
  final class Salt { var value = 0 }
  struct ID: Hashable {
    let number: Int
    let salt: Salt
    static func == (a: ID, b: ID) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) {
      hasher.combine(number)
      hasher.combine(salt.value)
    }
  }
  var id: ID
  let tag: Tag

  static func make(_ id: Int, _ tag: Tag) -> RehashedRow { RehashedRow(id: Self.id(id), tag: tag) }
  static func id(_ id: Int) -> ID { ID(number: id, salt: Salt()) }
  func disturb(_ id: Int) { self.id.salt.value = id % 4 }
}

/// Its identity is that of an object in it.
struct WrappingRow: UnstableElement {
  final class Inner { var number = 0 }
  private let inner = Inner()
  let tag: Tag
  var id: Int { inner.number }

  static func make(_ id: Int, _ tag: Tag) -> WrappingRow {
    let row = WrappingRow(tag: tag)
    row.inner.number = id
    return row
  }

  private init(tag: Tag) { self.tag = tag }
  static func id(_ id: Int) -> Int { id }
  func disturb(_ id: Int) { inner.number = id }
}

/// Of its identities one in four is not equal to itself.
struct MeasuredRow: UnstableElement {
  var id: Double
  let tag: Tag

  static func make(_ id: Int, _ tag: Tag) -> MeasuredRow { MeasuredRow(id: Self.id(id), tag: tag) }
  static func id(_ id: Int) -> Double { id % 4 == 0 ? .nan : Double(id) }
}

/// Its identity answers at will whether it is equal to another, and has one of few hashes.
struct MoodyRow: UnstableElement {
  final class Mood { var answers = SeededGenerator(seed: 11) }
  struct ID: Hashable {
    let number: Int
    let mood: Mood
    static func == (a: ID, b: ID) -> Bool { a.number == b.number && a.mood.answers.next() % 4 > 0 }
    func hash(into hasher: inout Hasher) {
      hasher.combine(mood.answers.next() % 8 == 0 ? number : number % 8)
    }
  }
  nonisolated(unsafe) private static let mood = Mood()  // Of one test, which runs on one thread.
  var id: ID
  let tag: Tag

  static func make(_ id: Int, _ tag: Tag) -> MoodyRow { MoodyRow(id: Self.id(id), tag: tag) }
  static func id(_ id: Int) -> ID { ID(number: id, mood: mood) }
}
