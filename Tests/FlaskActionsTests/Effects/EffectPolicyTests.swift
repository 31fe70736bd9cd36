@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// The rules of `docs/actions.md`, as a table: each policy with each pace, against all that can be there when an effect
/// comes.
struct EffectPolicyTests {
  /// What is there: `running`, `queued` behind a running one, `paused` (debounced), `spanned` (throttled, behind one
  /// that has ended).
  private struct Scene {
    static let group = EffectTable.Group(identifier: 1, holder: .shared("all"))
    private let owner = Owner()
    private var table = EffectTable()

    init() { table.own(ObjectIdentifier(owner)) }

    mutating func add(_ run: Int, _ policy: FluxEffectPolicy, _ pace: FluxEffectPace) -> [String] {
      let owner = ObjectIdentifier(owner)
      let entry = EffectTable.Entry(
        run: run,
        group: Self.group,
        owner: owner,
        middleware: owner,
        policy: policy,
        pace: pace
      )
      let decisions = table.add(entry).map { decision in
        switch decision {
        case .start(let run): "start \(run)"
        case .cancel(let run): "cancel \(run)"
        case .drop(let run): "drop \(run)"
        case .startTimer(_, let run, _): "time \(run)"
        case .cancelTimer(let timer): "end timer \(timer)"
        }
      }
      return decisions.isEmpty ? ["wait"] : decisions
    }

    mutating func end(_ run: Int) { _ = table.ended(run, of: Self.group) }
  }

  private static let second = Duration.seconds(1)

  private static func scene(_ name: String) -> Scene {
    var scene = Scene()
    switch name {
    case "running": _ = scene.add(1, .concurrent, .immediate)
    case "queued":
      _ = scene.add(1, .queue, .immediate)
      _ = scene.add(2, .queue, .immediate)
    case "paused": _ = scene.add(1, .concurrent, .debounce(second))
    case "spanned":
      _ = scene.add(1, .concurrent, .throttle(second))
      _ = scene.add(2, .concurrent, .throttle(second))
      scene.end(1)
    default: break
    }
    return scene
  }

  /// What becomes of a ninth effect.
  private static let table = """
    policy     pace      | nothing         | running                  | queued                           \
    | paused                               | spanned
    concurrent immediate | start 9         | start 9                  | start 9                          \
    | start 9                              | start 9
    concurrent debounce  | time 9          | time 9                   | time 9                           \
    | drop 1, end timer 1, time 9          | time 9
    concurrent throttle  | time 9, start 9 | time 9, start 9          | time 9, start 9                  \
    | time 9, start 9                      | drop 2
    latest     immediate | start 9         | cancel 1, start 9        | cancel 1, drop 2, start 9        \
    | drop 1, end timer 1, start 9         | drop 2, start 9
    latest     debounce  | time 9          | cancel 1, time 9         | cancel 1, drop 2, time 9         \
    | drop 1, end timer 1, time 9          | drop 2, time 9
    latest     throttle  | time 9, start 9 | cancel 1, time 9, start 9 | cancel 1, drop 2, time 9, start 9 \
    | drop 1, end timer 1, time 9, start 9 | drop 2
    exhaust    immediate | start 9         | drop 9                   | drop 9                           \
    | start 9                              | start 9
    exhaust    debounce  | time 9          | time 9                   | time 9                           \
    | drop 1, end timer 1, time 9          | time 9
    exhaust    throttle  | time 9, start 9 | drop 9                   | drop 9                           \
    | time 9, start 9                      | drop 2
    queue      immediate | start 9         | wait                     | wait                             \
    | start 9                              | start 9
    queue      debounce  | time 9          | time 9                   | time 9                           \
    | drop 1, end timer 1, time 9          | time 9
    queue      throttle  | time 9, start 9 | time 9                   | time 9                           \
    | time 9, start 9                      | drop 2
    """

  struct Cell: Sendable, CustomTestStringConvertible {
    let policy: FluxEffectPolicy
    let pace: FluxEffectPace
    let scene: String
    let expected: String

    var testDescription: String { "\(policy), \(pace), \(scene)" }
  }

  private static let cells: [Cell] = {
    let rows = table.split(separator: "\n").map { row in
      row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
    }
    let paces: [FluxEffectPace] = [.immediate, .debounce(second), .throttle(second)]
    var cells: [Cell] = []
    for (index, row) in rows.dropFirst().enumerated() {
      for (scene, expected) in zip(rows[0], row).dropFirst() {
        let policy = FluxEffectPolicy.allCases[index / 3]
        cells.append(Cell(policy: policy, pace: paces[index % 3], scene: scene, expected: expected))
      }
    }
    return cells
  }()

  @Test func `each policy is met with each pace in each scene`() { #expect(Self.cells.count == 60) }

  @Test(arguments: cells)
  func `an effect does to others what the table says`(cell: Cell) {
    var scene = Self.scene(cell.scene)
    #expect(scene.add(9, cell.policy, cell.pace).joined(separator: ", ") == cell.expected)
  }
}
