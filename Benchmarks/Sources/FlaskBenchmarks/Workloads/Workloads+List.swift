import BenchmarkSink
import FlaskCore

/// W17: of a list of 1,000 elements in an array one is updated and one is moved; who observes hears of these two. The
/// bound compares the lists by hand, with a dictionary.
extension Workloads {
  static func observedList() -> [Case] {
    [
      Case("W17", "hand", fires: 1) { sink in
        let store = HandList { sink.hear($0, $1) }
        return { count in
          for round in 0..<count { store.mutate { change(&$0, round: round) } }
        }
      },
      Case("W17", "elements", fires: 1) { sink in
        let list = Substance(List())
        let token = list.observe(elements: \.rows) { sink.hear($0.updates.count, $0.moves.count) }
        return { count in
          withExtendedLifetime(token) {
            for round in 0..<count { list.mix { change(&$0.rows, round: round) } }
          }
        }
      },
    ]
  }

  @inline(never)
  private static func change(_ rows: inout [Row], round: Int) {
    rows[500].number &+= 1
    let moved = rows.remove(at: 200 + round % 50)
    rows.insert(moved, at: 700)
  }
}

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
  var number = 0
}

private struct List: Sendable {
  var rows = (0..<1_000).map { Row(id: $0, title: "a row whose title lives on the heap \($0)") }
}

/// Compares two lists as one would by hand: where each element was, then which elements differ, and which one moved.
private final class HandList {
  private var rows = List().rows
  private let onChange: (Int, Int) -> Void

  init(onChange: @escaping (Int, Int) -> Void) { self.onChange = onChange }

  @inline(never)
  func mutate(_ body: (inout [Row]) -> Void) {
    let old = rows
    body(&rows)
    var places: [Int: Int] = [:]
    places.reserveCapacity(old.count)
    for (place, row) in old.enumerated() { places[row.id] = place }
    var updated = 0
    // An element has moved if it comes before one that it came after.
    var moved = 0
    var furthest = -1
    for row in rows {
      guard let place = places[row.id] else { continue }
      if old[place] != row { updated += 1 }
      if place < furthest { moved += 1 }
      furthest = max(furthest, place)
    }
    if updated + moved > 0 { onChange(updated, moved) }
  }
}
