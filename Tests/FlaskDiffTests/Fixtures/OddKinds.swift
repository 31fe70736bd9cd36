import FlaskDiff
import Foundation

/// Every kind of stored property that Swift lets into a struct, but for `lazy` ones, which are hidden.
enum OddKinds {
  /// Makes a number of edits of rows of one kind, and returns what is wrong.
  typealias Check = @Sendable (_ edits: Int, _ seed: UInt64) -> [String]

  static let all: [Check] = forms + values + moreValues

  static func check<R>(_ kind: Kind<R>) -> Check {
    // Each call only reads the kind, and its values are not changed by anybody.
    nonisolated(unsafe) let kind = kind
    return { edits, seed in
      [kind.firstFault(edits: edits, seed: seed)].compactMap { $0 }
    }
  }

  struct Config { var a = 1; var b = 2 }
  protocol Shape {}
  struct Circle: Shape { var radius = 1 }
  struct Square: Shape { var side = "a" }
  protocol Listener: AnyObject {}
  class Object: Listener {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
  final class Special: Object {}
  struct Failure: Error, Equatable { var code = 1 }
  struct Box<Value> { var value: Value }
  struct Held<Part: AnyObject> { var object: Part }
  struct Empty {}
  struct Nested { var n = 0; var text = "a"; var _cache = 0 }
  enum Single { case only }
  enum SinglePayload: Equatable { case only([Int]) }
  indirect enum Tree: Equatable { case leaf, node(Tree, Int, Tree) }
  enum Load {
    case idle, other
    case done(Int, [Int])
    case failed(String)
    var number: Int {
      switch self {
      case .idle: 0
      case .other: 1
      case .done: 2
      case .failed: 3
      }
    }
  }
  struct Reflecting: CustomReflectable {
    var n = 0
    var customMirror: Mirror { Mirror(self, children: ["m": 1]) }
  }
  @propertyWrapper struct Tagged { var wrappedValue: Int }

  /// Never written to.
  nonisolated(unsafe) static let objects = [Object(0), Object(1), Object(2)]
  static let ids = [UUID(), UUID()]

  static func constant(_ number: Int) -> () -> Int {
    let object = Object(number)
    return { object.number }
  }

  static func level(_ type: Config.Type??) -> Int {
    switch type {
    case .some(.some): 0
    case .some(.none): 1
    case .none: 2
    }
  }
}
