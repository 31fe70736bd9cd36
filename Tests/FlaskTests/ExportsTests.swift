import Flask
import Testing

/// `import Flask` alone reaches every module, and `Flask` in code is the type, not the module.
@Suite struct ExportsTests {
  struct Point { var x = 1 }

  @Test func `Flask names the type`() {
    Flux.$current.withValue(Flux()) {
      let lock = Flask.lock()
      #expect(Flux.current.locks == [lock])
      lock.release()
      #expect(Flux.current.locks.isEmpty)
    }
  }

  @Test func `the diff engine is there`() {
    #expect(StateDiff.changes(from: Point(), to: Point(x: 2)).keys == ["x"])
  }
}
