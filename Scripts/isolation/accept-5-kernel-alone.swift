// Swift 5, no diagnostic

import FlaskCore
import FlaskSwift5

final class Model {
  let counter = Substance(0)
  var seen: [Int] = []
  lazy var observation = counter.observe(\.self) { [self] _, new in seen.append(new) }

  func increment() {
    var times = 0
    counter.mix {
      times += 1
      $0 += times
    }
    let reactor = Flask.reactor(attachedTo: self, mixing: counter) { owner, _ in owner.seen.append(0) }
    reactor.mix(counter) { _ in times += 1 }.react()
  }
}
