import FlaskDiff
import Testing

@Suite struct ExistentialTests {
  protocol Shape {}
  struct Circle: Shape, HidesUnderscored { var radius = 1; var _cache = 0 }
  struct Square: Shape, Equatable { var side = 1 }
  struct Failure: Error { var code = 1 }
  struct State {
    var any: Any = 1
    var shape: any Shape = Circle()
    var maybe: (any Shape)?
    var error: any Error = Failure()
    var list: [any Shape] = [Circle(), Square()]
    var plain = 1
  }

  @Test func `a change of dynamic type is a change`() {
    #expect(changedKeys(State()) { $0.any = "1" } == ["any"])
    #expect(changedKeys(State()) { $0.any = Optional(1) as Any } == ["any"])
    #expect(changedKeys(State()) { $0.maybe = Square() } == ["maybe", "maybe.side"])
    #expect(changedKeys(State()) { $0.list[0] = Square() } == ["list"])
    #expect(changedKeys(State()) { $0.plain = 2 } == ["plain"])
  }

  @Test func `contents of one type are compared`() {
    #expect(changedKeys(State()) { $0.any = 1 } == [])
    #expect(changedKeys(State()) { $0.any = 2 } == ["any"])
    #expect(changedKeys(State()) { $0.shape = Circle(_cache: 1) } == [])
    #expect(changedKeys(State()) { $0.shape = Circle(radius: 2) } == ["shape", "shape.radius"])
    #expect(changedKeys(State()) { $0.error = Failure() } == [])
    #expect(changedKeys(State()) { $0.error = Failure(code: 2) } == ["error", "error.code"])
    #expect(changedKeys(State()) { $0.list[1] = Square(side: 2) } == ["list"])
  }
}
