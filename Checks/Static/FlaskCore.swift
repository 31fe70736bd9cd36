import FlaskCore

let counter = Substance(0)
counter.mix { $0 += 1 }
print(counter.state == 1 ? "ok" : "\(counter.state)")
