import FlaskArchive
import FlaskCore

struct Count: FlaskState { var value = 0 }

let memory = MemoryArchive()
let counter = Substance<Count>(name: "counter", archive: true, in: memory)
counter.mix { $0.value += 1 }
counter.archiveNow()
print(Substance<Count>(name: "counter", archive: true, in: memory).state.value == 1 ? "ok" : "not read")
