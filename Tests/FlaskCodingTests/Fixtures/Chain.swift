/// A state that is nested as deep as wished.
final class Chain: Codable, Sendable {
  let next: Chain?

  init(length: Int) {
    var link: Chain?
    for _ in 1..<max(1, length) { link = Chain(next: link) }
    next = link
  }

  private init(next: Chain?) {
    self.next = next
  }

  var length: Int {
    var (count, link) = (1, next)
    while let current = link { (count, link) = (count + 1, current.next) }
    return count
  }
}
