import FlaskDiff
import FlaskEntities

/// Does what `Entities` does with an array, slowly and obviously.
struct EntitiesModel<Element: Identifiable> where Element: Equatable {
  var elements: [Element] = []

  func index(id: Element.ID) -> Int? { elements.firstIndex { $0.id == id } }

  mutating func insert(_ element: Element, at offset: Int) {
    if let index = index(id: element.id) {
      elements[index] = element
    } else {
      elements.insert(element, at: offset)
    }
  }

  mutating func replace(at offset: Int, with element: Element) {
    if let other = index(id: element.id), other != offset {
      elements[offset] = element
      elements.remove(at: other)
    } else {
      elements[offset] = element
    }
  }

  mutating func move(id: Element.ID, to offset: Int) {
    guard let index = index(id: id) else { return }
    let element = elements.remove(at: index)
    elements.insert(element, at: max(0, min(offset, elements.count)))
  }

  mutating func move(fromOffsets offsets: [Int], toOffset destination: Int) {
    let moved = Set(offsets).filter(elements.indices.contains)
    let limit = max(0, min(destination, elements.count))
    let before = elements.indices.filter { $0 < limit && !moved.contains($0) }.map { elements[$0] }
    let after = elements.indices.filter { $0 >= limit && !moved.contains($0) }.map { elements[$0] }
    elements = before + moved.sorted().map { elements[$0] } + after
  }
}

/// One change of a collection, made of a few random numbers.
enum EntitiesEdit: CaseIterable {
  case append, insert, update, updateInPlace, replaceAtOffset, changeIdentity, setNil, removeID, removeOffset,
    move,
    moveOffsets, swap, removeSome, removeRange, replaceRange, reverse, sort

  /// How often each comes.
  static let mixture: [EntitiesEdit] =
    Array(repeating: .append, count: 12) + Array(repeating: .insert, count: 14)
    + Array(repeating: .update, count: 12) + Array(repeating: .updateInPlace, count: 8)
    + Array(repeating: .removeID, count: 10) + Array(repeating: .removeOffset, count: 10)
    + Array(repeating: .move, count: 8) + [
      .replaceAtOffset, .replaceAtOffset, .changeIdentity, .setNil, .setNil, .moveOffsets, .moveOffsets,
      .swap,
      .swap, .removeSome, .removeRange, .replaceRange, .reverse, .sort,
    ]

  /// Performs the change on both, and says where they disagree in what they return.
  ///
  /// - Parameters:
  ///   - span: Identities are from 0 to before this.
  ///   - make: An element with an identity and a content.
  func perform<Element: Identifiable & Equatable, Numbers: RandomNumberGenerator>(
    on entities: inout Entities<Element>,
    and model: inout EntitiesModel<Element>,
    span: Int,
    numbers: inout Numbers,
    make: (_ id: Int, _ content: Int) -> Element,
    order: (Element, Element) -> Bool
  ) -> Bool {
    let element = make(.random(in: 0..<span, using: &numbers), .random(in: 0..<1000, using: &numbers))
    let id = element.id
    let count = model.elements.count
    let place = Int.random(in: 0...count, using: &numbers)
    let offset = min(place, max(0, count - 1))
    switch self {
    case .append:
      let isNew = model.index(id: id) == nil
      model.insert(element, at: count)
      return entities.append(element) == isNew
    case .insert:
      let isNew = model.index(id: id) == nil
      model.insert(element, at: place)
      return entities.insert(element, at: place) == isNew
    case .update:
      entities[id: id] = element
      model.insert(element, at: count)
    case .updateInPlace:
      let known = model.index(id: id)
      if let known { model.elements[known] = element }
      return (entities.update(id: id) { $0 = element } != nil) == (known != nil)
    case .replaceAtOffset:
      guard count > 0 else { return true }
      entities[offset] = element
      model.replace(at: offset, with: element)
    case .changeIdentity:
      guard count > 0 else { return true }
      entities[id: model.elements[offset].id] = element
      model.replace(at: offset, with: element)
    case .setNil:
      entities[id: id] = nil
      model.elements.removeAll { $0.id == id }
    case .removeID:
      let known = model.index(id: id).map { model.elements.remove(at: $0) }
      return entities.remove(id: id) == known
    case .removeOffset:
      guard count > 0 else { return true }
      return entities.remove(at: offset) == model.elements.remove(at: offset)
    case .move:
      model.move(id: id, to: place)
      entities.move(id: id, to: place)
    case .moveOffsets:
      let sources = (0..<3).map { _ in Int.random(in: 0...count, using: &numbers) }
      model.move(fromOffsets: sources, toOffset: place)
      entities.move(fromOffsets: sources, toOffset: place)
    case .swap:
      guard count > 0 else { return true }
      let other = Int.random(in: 0..<count, using: &numbers)
      model.elements.swapAt(offset, other)
      entities.swapAt(offset, other)
    case .removeSome:
      let gone = Set((0..<3).map { _ in Int.random(in: 0..<span, using: &numbers) }.map { make($0, 0).id })
      model.elements.removeAll { gone.contains($0.id) }
      entities.removeAll { gone.contains($0.id) }
    case .removeRange:
      let range = offset..<min(count, offset + 4)
      model.elements.removeSubrange(range)
      entities.removeSubrange(range)
    case .replaceRange:
      let range = offset..<min(count, offset + 4)
      model.elements.removeSubrange(range)
      model.insert(element, at: range.lowerBound)
      entities.replaceSubrange(range, with: [element])
    case .reverse:
      model.elements.reverse()
      entities.reverse()
    case .sort:
      model.elements.sort(by: order)
      entities.sort(by: order)
    }
    return true
  }
}
