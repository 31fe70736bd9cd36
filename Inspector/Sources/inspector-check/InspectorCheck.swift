import FlaskCore
import FlaskInspector
import FlaskInsight
import Foundation

/// Serves a shop for `Scripts/check-inspector.sh`: writes the address to standard output, and does what the lines of
/// standard input say.
///
///     tour           one of each kind of operation
///     many N         N mixes
///     send NAME      an action, with its effect
///     lock / unlock  holds a lock
///     visits         answers how many the app shows
///     stop           ends the inspector, but not the process
///     html FILE      writes the page with all that it shows
///     sync           answers "done"; so does each of the others
@main
struct InspectorCheck {
  static func main() async throws { try await run() }

  /// Off the main thread, which reading lines would block: the end of a travel waits for what it has to do.
  nonisolated static func run() async throws {
    let inspection = Inspection()
    let shop = Shop()
    let inspector = try await Inspector.serve(
      showing: shop.cart,
      shop.session,
      budgets: .none,
      capacity: 200_000,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    say(inspector.address)
    var lock: FluxLock?
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      switch words.first {
      case "tour": await shop.tour()
      case "many": shop.many(words.count > 1 ? Int(words[1]) ?? 0 : 0)
      case "send": shop.send(words.count > 1 ? words[1] : "?")
      case "lock": lock = Flask.lock()
      case "unlock":
        lock = lock.flatMap { lock in
          lock.release()
          return nil
        }
      case "visits":
        say("\(shop.session.visits)")
        continue
      case "stop": await inspector.stop()
      case "html":
        let html = await inspector.html()
        if words.count > 1 { try Data(html.utf8).write(to: URL(fileURLWithPath: words[1])) }
      default: break
      }
      say("done")
    }
    await inspector.stop()
    withExtendedLifetime(inspection) {}
  }

  private static func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}
