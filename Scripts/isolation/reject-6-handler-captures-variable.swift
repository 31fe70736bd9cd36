// Swift 6, error: mutation of captured var 'count' in concurrently-executing code
import Flask

struct AppState: State { var counter = 0 }

func hear(_ substance: Substance<AppState>, _ owner: AnyObject) {
  var count = 0
  let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
  reactor.handler = { owner, reaction in count += 1 }
}
