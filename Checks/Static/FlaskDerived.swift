import FlaskDerived

let counter = Substance(1)
let twice = Derived { counter.state * 2 }
counter.mix { $0 = 4 }
print(twice.value == 8 ? "ok" : "\(twice.value)")
