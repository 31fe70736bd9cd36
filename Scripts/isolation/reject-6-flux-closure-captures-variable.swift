// Swift 6, error: mutation of captured var 'count' in concurrently-executing code
import Flask

func perform() {
  var count = 0
  Flask.performInFluxQueue { count += 1 }
}
