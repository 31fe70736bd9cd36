@testable import FlaskDiff
import Testing

struct Nest { var foo = "bar"; var n = 1 }
struct Info { var nest = Nest(); var other = Nest() }
struct App { var counter = 0; var info = Info(); var f: [String: Int] = ["a": 1]; var o: Int? ; var d = 1.0; var opt: Info? }
@Test(arguments: LayoutWay.allCases) func smoke(way: LayoutWay) {
  let a = App()
  var b = a
  b.counter = 1
  b.info.nest.foo = "mutated"
  b.f["a"] = 2
  b.f["b.c"] = 2
  b.opt = Info()
  let c = StateDiff.changes(from: a, to: b, way: way)
  print(c.layout.keys, c.keys)
  print(c)
  #expect(c.contains("f.b.c"))
  #expect(c.contains(\.info.nest.foo))
  #expect(c.newValue("f.a") == 2)
}
