import FlaskDiff

struct Pair { var left = 1, right = "a" }

let changes = StateDiff.changes(from: Pair(), to: Pair(right: "b"))
print(changes.keys == ["right"] ? "ok" : "\(changes.keys)")
