import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// While a derived value is observed, its values are computed where its observers find them.
@Suite(.ownFlux) struct DerivedInPlaceTests {
  struct Words: Sendable {
    var title = "A title that lives on the heap, since it is long", note = "", count = 0
  }

  let words = Substance(Words())
  let heard = Recorder<String>()
  let runs = Recorder<Int>()

  @Test func `a result that equals the last one notifies no one, though it lies elsewhere`() {
    let title = Derived { [words] in words.title.lowercased() }
    let token = title.observe { [heard] old, new in heard.append("\(old.count) → \(new.count)") }
    words.mix { $0.title = $0.title.uppercased() }
    #expect(heard.all == [])
    #expect(title.value == "a title that lives on the heap, since it is long")
    words.mix { $0.title = "short" }
    words.mix { $0.title = "SHORT" }
    words.mix { $0.title = "longer" }
    #expect(heard.all == ["48 → 5", "5 → 6"])
    #expect(title.value == "longer")
    withExtendedLifetime(token) {}
  }

  @Test func `a result that equals the last one is released`() {
    final class Label: Sendable, Equatable {
      let text: String
      init(_ text: String, _ gone: @escaping @Sendable () -> Void) {
        self.text = text
        words = LastWords(gone)
      }
      private let words: LastWords
      static func == (a: Label, b: Label) -> Bool { a.text == b.text }
    }
    struct Shown: Sendable { let label: Label }
    let shown = Derived { [words, runs] in Shown(label: Label(words.title.lowercased()) { runs.append(0) }) }
    let token = shown.observe(\.label) { [heard] in heard.append("\($0.text) → \($1.text)") }
    words.mix { $0.title = $0.title.uppercased() }
    #expect(heard.all == [])
    #expect(runs.count == 1)
    withExtendedLifetime((shown, token)) {}
  }

  @Test func `one that is read by another one before it is reported is computed once, and reported`() {
    let isOn = Substance(false)
    let twice = Derived { [words, runs] in
      runs.append(0)
      return isOn.state ? words.count * 2 : 0
    }
    let both = Derived { [words] in twice.value + words.count }
    let tokens = [
      both.observe { [heard] in heard.append("\($0) → \($1)") },
      twice.observe { [heard] in heard.append("twice \($0) → \($1)") },
    ]
    // From here on it depends on the same as the other one, and has come later.
    isOn.mix { $0 = true }
    words.mix { $0.count = 1 }
    #expect(heard.all.sorted() == ["0 → 3", "twice 0 → 2"])
    #expect(runs.count == 3)
    #expect(both.value == 3)
    #expect(runs.count == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test func `values that were read before stay as they are`() {
    let lengths = Derived { [words] in (0..<words.count).map { "\($0), a text that lives on the heap" } }
    let token = lengths.observe { _, _ in }
    var read: [[String]] = []
    for count in 0..<20 {
      words.mix { $0.count = count }
      read.append(lengths.value)
    }
    #expect(read.map(\.count) == Array(0..<20))
    #expect(read[3].last == "2, a text that lives on the heap")
    withExtendedLifetime(token) {}
  }

  @Test func `a snapshot that is being read keeps its value while the next ones are computed`() {
    let length = Derived { [words] in [words.count, words.count] }
    let token = length.observe { _, _ in }
    // From here on it is read where its observers find it.
    words.mix { $0.count = 100 }
    ConsistentRead.perform { moment in
      let before = moment.record(of: length.node)
      defer { withExtendedLifetime(before) {} }
      let pointer = before.box.address.assumingMemoryBound(to: [Int].self)
      for count in 1..<10 {
        words.mix { $0.count = count }
        #expect(pointer.pointee == [100, 100])
      }
    }
    #expect(length.value == [9, 9])
    withExtendedLifetime(token) {}
  }

  @Test func `what is read in another order, or twice, is not computed again for it`() {
    let other = Substance(1)
    let isTurned = Substance(false)
    let sum = Derived { [words, runs] in
      runs.append(0)
      if isTurned.state { return other.state + words.count + other.state + words.count }
      return words.count + other.state
    }
    let token = sum.observe { [heard] in heard.append("\($0) → \($1)") }
    isTurned.mix { $0 = true }
    words.mix { $0.count = 10 }
    other.mix { $0 = 2 }
    words.mix { $0.note = "not read" }
    other.mix { $0 = 2 }
    #expect(heard.all == ["1 → 2", "2 → 22", "22 → 24"])
    #expect(runs.count == 4)
    withExtendedLifetime(token) {}
  }

  @Test func `keys beyond the first 64 are known, too`() {
    let wide = Substance(WideState())
    let last = Derived { [runs] in
      runs.append(0)
      return wide.f099 + wide.f000
    }
    let token = last.observe { [heard] in heard.append("\($0) → \($1)") }
    wide.mix { $0.f098 = 1 }
    wide.mix { $0.f099 = 1 }
    wide.mix { $0.f003 = 1 }
    wide.mix { $0.f000 = 1 }
    #expect(heard.all == ["99 → 1", "1 → 2"])
    #expect(runs.count == 3)
    withExtendedLifetime(token) {}
  }

  @Test func `keys before and behind the sixty-fourth are known after each run, too`() {
    let wide = Substance(WideState())
    let texts = Derived { "\(wide.f001) \(wide.f062 ?? 0) \(wide.f063) \(wide.f064)" }
    let token = texts.observe { [heard] in heard.append($1) }
    wide.mix { $0.f001 = "a" }
    wide.mix { $0.f064 = "d" }
    wide.mix { $0.f062 = 2 }
    wide.mix { $0.f063 = 3 }
    wide.mix { $0.f064 = "e" }
    #expect(
      heard.all == ["a 62.5 63 text 64", "a 62.5 63 d", "a 2.0 63 d", "a 2.0 3 d", "a 2.0 3 e"]
    )
    withExtendedLifetime(token) {}
  }

  @Test func `keys beyond the first 64 that are not read any more do not count`() {
    let wide = Substance(WideState())
    let either = Derived { [runs] in
      runs.append(0)
      return wide.f000 > 0 ? wide.f000 : wide.f000 + wide.f099
    }
    let token = either.observe { [heard] in heard.append("\($0) → \($1)") }
    wide.mix { $0.f000 = 1 }
    wide.mix { $0.f099 = 5 }
    #expect(heard.all == ["99 → 1"])
    #expect(runs.count == 2)
    withExtendedLifetime(token) {}
  }

  /// What is heard when, from the first mix on, more is read than before.
  private func heard(
    ofMore more: @escaping @Sendable () -> Int,
    _ change: () -> Void
  ) -> [String] {
    let value = Derived { [words] in words.count > 0 ? words.count + more() : words.count }
    let token = value.observe { [heard] in heard.append("\($0) → \($1)") }
    words.mix { $0.count = 1 }
    change()
    words.mix { $0.count = 0 }
    change()
    withExtendedLifetime(token) {}
    return heard.take()
  }

  @Test func `what is read beside the rest from some value on is followed from then on`() {
    let other = Substance(10)
    let twice = Derived { other.state * 2 }
    #expect(heard(ofMore: { other.state }) { other.mix { $0 += 1 } } == ["0 → 11", "11 → 12", "12 → 0"])
    #expect(heard(ofMore: { twice.value }) { other.mix { $0 += 1 } } == ["0 → 25", "25 → 27", "27 → 0"])
    let words = words
    let title = heard(ofMore: { words.title.count }) { words.mix { $0.title += "." } }
    #expect(title == ["0 → 49", "49 → 50", "50 → 0"])
    let whole = heard(ofMore: { words.state.note.count }) { words.mix { $0.note += "." } }
    #expect(whole == ["0 → 1", "1 → 2", "2 → 0"])
  }

  @Test func `what is read in turns of two substances is followed after each run`() {
    let other = Substance(1)
    let value = Derived { [words] in "\(words.count) \(other.state) \(words.note)" }
    let token = value.observe { [heard] in heard.append($1) }
    words.mix { $0.count = 2 }
    words.mix { $0.note = "a" }
    other.mix { $0 = 3 }
    words.mix { $0.note = "b" }
    #expect(heard.all == ["2 1 ", "2 1 a", "2 3 a", "2 3 b"])
    withExtendedLifetime(token) {}
  }

  @Test func `a task that the closure makes reads what is committed when it runs`() async {
    let signal = Signal()
    let tasks = Recorder<Task<Int, Never>>()
    let count = Derived { [words] in
      tasks.append(
        Task {
          await signal.wait()
          return words.count
        }
      )
      return words.count
    }
    let token = count.observe { _, _ in }
    words.mix { $0.count = 1 }
    words.mix { $0.count = 2 }
    signal.fire()
    var seen: [Int] = []
    for task in tasks.all { seen.append(await task.value) }
    #expect(seen == [2, 2, 2])
    withExtendedLifetime(token) {}
  }

  @Test func `one that reads two others, of which one is observed, too, never sees them apart`() {
    let twice = Derived { [words] in words.count * 2 }
    let thrice = Derived { [words] in words.count * 3 }
    let both = Derived { [runs] in
      runs.append(0)
      return twice.value + thrice.value
    }
    let tokens = [
      both.observe { [heard] in heard.append("\($0) → \($1)") },
      twice.observe { [heard] in heard.append("twice \($0) → \($1)") },
    ]
    for count in 1...3 { words.mix { $0.count = count } }
    #expect(
      heard.all == [
        "twice 0 → 2", "0 → 5", "twice 2 → 4", "5 → 10", "twice 4 → 6", "10 → 15",
      ]
    )
    #expect(both.value == 15)
    #expect(runs.count == 4)
    withExtendedLifetime(tokens) {}
  }
}
