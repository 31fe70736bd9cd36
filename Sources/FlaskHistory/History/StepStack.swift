/// A stack of steps within limits. The step that was pushed last is on top.
///
/// The steps are stored in separate memory and are moved in and out. An array would copy optional elements, which
/// retains and releases their contents. A stack is neither copied nor shared.
struct StepStack: ~Copyable {
  /// A step with its memory size, which is computed once.
  struct Entry: ~Copyable {
    var step: HistoryStep
    let byteCount: Int
    // Read without copying the step.
    let number: Int

    init(_ step: consuming HistoryStep) {
      byteCount = step.byteCount
      number = step.number
      self.step = consume step
    }
  }

  // The memory of the entries. Only `count` entries, from index `start` on, are initialized.
  private var memory: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var start = 0
  private(set) var count = 0
  private(set) var byteCount = 0

  init() {
    capacity = 8
    memory = .allocate(capacity: capacity)
  }

  /// - Parameter steps: the steps. The last element is on top.
  init(_ steps: [HistoryStep]) {
    self.init()
    for step in steps { push(Entry(step)) }
  }

  deinit {
    (memory + start).deinitialize(count: count)
    memory.deallocate()
  }

  /// All steps. The top one is last.
  var steps: [HistoryStep] { (start..<start + count).map { memory[$0].step } }

  /// The name of the step on top.
  var topName: String? { count > 0 ? memory[start + count - 1].step.name : nil }

  /// The number of the top step; -1 if the stack is empty.
  var topNumber: Int { count > 0 ? memory[start + count - 1].number : -1 }

  mutating func push(_ entry: consuming Entry) {
    byteCount += entry.byteCount
    if start + count == capacity { makeRoom() }
    (memory + start + count).initialize(to: entry)
    count += 1
  }

  /// Moves the steps to the beginning of the memory. If more than half of the memory is in use, the steps move to new
  /// memory of twice the size.
  private mutating func makeRoom() {
    if start * 2 >= capacity {
      memory.moveInitialize(from: memory + start, count: count)
    } else {
      capacity *= 2
      let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
      larger.moveInitialize(from: memory + start, count: count)
      memory.deallocate()
      memory = larger
    }
    start = 0
  }

  mutating func pop() -> Entry? {
    if count == 0 { return nil }
    count -= 1
    let last = (memory + start + count).move()
    byteCount -= last.byteCount
    return last
  }

  /// Changes the step on top.
  ///
  /// - Returns: `false` if the changes of the top step cancel out. The step is removed then.
  mutating func changeTop(_ body: (inout HistoryStep) -> Void) -> Bool {
    guard var step = pop()?.step else { return false }
    body(&step)
    if step.isEmpty { return false }
    push(Entry(step))
    return true
  }

  /// Drops the oldest steps until the remaining steps are within the limits.
  mutating func trim(toSteps limit: Int, bytes: Int) {
    while count > limit || byteCount > bytes && count > 0 {
      byteCount -= memory[start].byteCount
      (memory + start).deinitialize(count: 1)
      start += 1
      count -= 1
    }
  }

  mutating func removeAll() { self = StepStack() }
}
