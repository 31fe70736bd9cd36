struct SomeState: Sendable { var value = 0 }
struct SomeAction: FluxAction { let value: Int }
struct OtherAction: FluxAction {}
struct ThirdAction: FluxAction {}
struct Search: FluxAction { let text: String; let client = 1 }
struct Found: FluxAction {
  init(_ items: [String]) {}
}
struct Clear: FluxAction {}
nonisolated func load(_ text: String) async throws -> [String] { [text] }
nonisolated func performWork(_ value: Int) {}
