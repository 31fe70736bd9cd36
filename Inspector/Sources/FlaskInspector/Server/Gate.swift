internal import FlyingFox

/// Decides who may come in: only who knows the token, on the address itself, and no page of another origin.
///
/// The token keeps out other users and programs of the machine. `Host` keeps out pages whose name was pointed at the
/// loopback address (DNS rebinding), `Origin` and `Sec-Fetch-Site` those that make the browser ask for them.
struct Gate: Sendable {
  enum Answer: Equatable {
    /// What is asked for, below the token.
    case welcome(path: String)
    /// What is to be done, below the token.
    case command(path: String)
    case methodNotAllowed, foreign, unknown
  }

  /// What can be sent.
  private static let commands: Set<String> = ["travel", "present"]

  let token: String
  let port: UInt16

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  func answer(to request: HTTPRequest) -> Answer {
    guard let host = request.headers[.host], hosts.contains(host) else { return .foreign }
    if let origin = request.headers[HTTPHeader("Origin")], origin != "http://\(host)" { return .foreign }
    if let site = request.headers[HTTPHeader("Sec-Fetch-Site")], site != "same-origin", site != "none" {
      return .foreign
    }
    let parts = request.target.path().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    // "", and what follows the first slash.
    guard parts.count == 2, parts[0].isEmpty else { return .unknown }
    let below = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let isRight = Gate.isEqual(String(below[0]), token)
    guard isRight, below.count == 2 else { return .unknown }
    let path = String(below[1])
    switch request.method {
    case .GET: return .welcome(path: path)
    case .POST where Gate.commands.contains(path):
      // A browser says by itself which page sends something; who does not say it is none of ours.
      return request.headers[HTTPHeader("Origin")] == nil ? .foreign : .command(path: path)
    default: return .methodNotAllowed
    }
  }

  /// Compares in a time that tells nothing about where two texts differ.
  static func isEqual(_ guess: String, _ secret: String) -> Bool {
    let (guess, secret) = (Array(guess.utf8), Array(secret.utf8))
    var difference = guess.count ^ secret.count
    for index in secret.indices {
      difference |= Int(secret[index] ^ (guess.isEmpty ? 0 : guess[index % guess.count]))
    }
    return difference == 0
  }

  /// 128 bits that nobody can guess, as 32 digits.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let hex = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - hex.count) + hex
    }.joined()
  }
}
