import FlaskActions
import FlaskTesting
import Testing

private struct Values: Sendable {
  var values: [Int]
  var other = 0
}

private struct Tree: Sendable {
  var id = 0
  var trees: [Tree] = []
}

/// What is compared with a state that is expected, and how a difference is shown.
@Suite struct ExpectedStateTests {
  @Test func `with exhaustivity off each state of a step is asserted on top of what it is`() async {
    let found = IssueList()
    await withTestFlux(onIssue: { found.add($0) }) { test in
      let cart = CartStore()
      test.dispatcher.register(workers: [cart])
      test.exhaustivity = .off
      let (a, b, c) = (Substance(Counter()), Substance(Counter()), Substance(Counter()))
      let all = { (name: String) in
        for part in [a, b, c] {
          part.mix {
            $0.count += 1
            $0.name = name
          }
        }
      }
      let adding = { (name: String) in
        all(name)
        _ = Flask.dispatch(Add(title: name))
      }
      await test.expect(changing: a, b) {
        ($0.name, $1.name) = ("2", "2")
      } by: {
        await Task.yield()
        all("2")
      }
      await test.expect(changing: a, b, c) {
        ($0.0.name, $0.1.name, $0.2.name) = ("3", "3", "3")
      } by: {
        await Task.yield()
        all("3")
      }
      await test.expect(changing: cart, a, b, c) {
        ($0.0.isPaid, $0.1.name, $0.2.name, $0.3.name) = (false, "4", "4", "4")
      } by: {
        await Task.yield()
        adding("4")
      }
    }
    #expect(found.messages == [])
  }

  @Test func `without waiting, too, each state of a step is asserted on top of what it is`() {
    withTestFlux { test in
      test.exhaustivity = .off
      let (a, b) = (Substance(Counter()), Substance(Counter()))
      let (c, d) = (Substance(Counter()), Substance(Counter()))
      let all = { (name: String) in
        for part in [a, b, c, d] {
          part.mix {
            $0.count += 1
            $0.name = name
          }
        }
      }
      test.expect(changing: a) {
        $0.name = "1"
      } by: {
        all("1")
      }
      test.expect(changing: a, b) {
        ($0.name, $1.name) = ("2", "2")
      } by: {
        all("2")
      }
      test.expect(changing: a, b, c) {
        ($0.0.name, $0.1.name, $0.2.name) = ("3", "3", "3")
      } by: {
        all("3")
      }
      test.expect(changing: a, b, c, d) {
        ($0.0.name, $0.1.name, $0.2.name, $0.3.name) = ("4", "4", "4", "4")
      } by: {
        all("4")
      }
    }
  }

  @Test func `a difference is looked for twelve levels deep, and shown as a whole below`() async {
    func nested(_ depth: Int, _ id: Int) -> Tree {
      depth == 0 ? Tree(id: id) : Tree(trees: [nested(depth - 1, id)])
    }
    let found = IssueList()
    await withTestFlux(onIssue: { found.add($0) }) { test in
      let list = Substance(nested(10, 1), name: "list")
      await test.expect(changing: list) { state in
        state = nested(10, 2)
      } by: {
        list.mix { $0.id = 1 }
        list.mix { $0.id = 0 }
      }
    }
    let lines = found.messages.first?.split(separator: "\n") ?? []
    let path = "trees[0].trees[0].trees[0].trees[0].trees[0].trees[0].trees: ["
    #expect(lines.count == 3)
    #expect(lines.dropFirst().map { $0.prefix(path.count + 4) } == ["  - \(path)", "  + \(path)"])
  }

  @Test func `of many differences the first ones are shown, and how many lines more there are`() async {
    for (count, last) in [(20, "  + values[19]: 1"), (21, "  … and 2 lines more")] {
      let found = IssueList()
      await withTestFlux(onIssue: { found.add($0) }) { test in
        let list = Substance(Values(values: Array(repeating: 1, count: count)), name: "list")
        await test.expect(changing: list) { state in
          state.values = Array(repeating: 2, count: count)
        } by: {
          list.mix { $0.other = 1 }
          list.mix { $0.other = 0 }
        }
      }
      let lines = found.messages.first?.split(separator: "\n")
      #expect(lines?.count == (count == 20 ? 41 : 42))
      #expect(lines?.last == Substring(last))
    }
  }
}
