// Swift 5, error: 'mix(isolation:fileID:line:_:)' is unavailable

import FlaskCore

func increment(_ counter: Substance<Int>) {
  counter.mix { $0 += 1 }
}
