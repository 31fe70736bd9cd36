// A client of OperationSignposts: compiled and run by Scripts/check-stand-ins.sh.
import FlaskInsight
import os

struct Basket: FlaskState { var count = 0 }
struct Refused: Error {}
struct AddItem: FluxAction { let name: String }

@main
enum Client {
  @MainActor static func main() {
    Flask.onFault = { _ in }
    let basket = Substance(Basket(), name: "basket")
    let signposts = OperationSignposts(to: OSSignposter(subsystem: "com.example.shop", category: "flux"))
    basket.mix { $0.count = 1 }
    basket.mix { _ in throw Refused() }
    AddItem(name: "tea").dispatch()
    OSSignposter.isRecorded = false
    basket.mix { $0.count = 2 }
    OSSignposter.isRecorded = true
    signposts.stop()
    basket.mix { $0.count = 3 }
    let wanted = [
      "operation 1 begins: mix at Client/Client.swift:15", "operation 1 ends: committed",
      "operation 2 begins: mix at Client/Client.swift:16", "operation 2 ends: failed(Refused)",
      "operation 3 begins: action AddItem at Client/Client.swift:17", "operation 3 ends: unchanged",
    ]
    print(OSSignposter.marked == wanted ? "ok" : "wrong: \(OSSignposter.marked)")
  }
}
