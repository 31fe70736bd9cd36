import Testing

@testable import FlaskEntities

@Suite struct PersistentVectorTests {
  private final class Thing: VectorObject {
    static var slotBits: Int { 2 }
    let name: Int
    init(_ name: Int) { self.name = name }
  }

  private func name(_ vector: PersistentVector<Thing>, _ number: Int) -> Int {
    Unmanaged<Thing>.fromOpaque(vector[number]).takeUnretainedValue().name
  }

  @Test func `it counts what it has, whatever came and went`() {
    var vector = PersistentVector<Thing>()
    for number in 0..<20 { #expect(vector.insert(Thing(number)) == number) }
    #expect((vector.count, vector.end) == (20, 20))
    vector.removeLast()
    #expect((vector.count, vector.end) == (19, 19))
    let copy = vector
    vector.remove(7)
    #expect((vector.count, vector.end) == (18, 19))
    #expect(vector.insert(Thing(70)) == 7)
    #expect(vector.insert(Thing(190)) == 19)
    #expect((vector.count, vector.end) == (20, 20))
    #expect((0..<20).map { name(vector, $0) } == (0..<7) + [70] + (8..<19) + [190])
    #expect((0..<19).map { name(copy, $0) } == Array(0..<19))
    for number in (0..<20).reversed() {
      vector.removeLast()
      #expect((vector.count, vector.end) == (number, number))
    }
  }

  @Test func `what it holds is released with it`() {
    weak var last: Thing?
    weak var first: Thing?
    do {
      var vector = PersistentVector<Thing>()
      let things = [Thing(0), Thing(1)]
      (first, last) = (things[0], things[1])
      for thing in things { _ = vector.insert(thing) }
      vector.removeLast()
    }
    #expect(first == nil)
    #expect(last == nil)
  }
}
