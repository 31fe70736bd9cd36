import FlaskPrimitives
import Foundation

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
import TestSupport

/// A program over substances and groups in a `SimulatedStore`, and what must be true of its archives.
///
/// Each mix sets a number that was never used. So the number that a new process reads says which state it is.
final class ArchiveProgram: Sendable {
  struct Page: FlaskState, Codable {
    var number = 0
    var isBroken = false

    init() {}

    enum CodingKeys: CodingKey { case number }

    func encode(to encoder: any Encoder) throws {
      if isBroken { throw SimulatedStore.Failed() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
    }
  }

  final class Sheet: Substance<Page>, @unchecked Sendable {
    let clock: ManualArchiveScheduler

    init(_ name: Int, in place: any ArchiveBackend, _ clock: ManualArchiveScheduler) {
      self.clock = clock
      super.init(name: "s\(name)", archive: true, in: place)
    }

    override func archiveScheduler() -> any ArchiveScheduler { clock }
  }

  /// What is known of one name, over all processes.
  struct Known: Sendable {
    /// Where its archive is: 0 for one of its own, else a group; `nil` if it was never made.
    var place: Int?
    /// The newest number of a mix.
    var committed = 0
    /// A new process must read this number or a later one.
    var durable = 0
    /// Whether it may also read nothing, since it was purged.
    var mayBeAbsent = true
    /// Whether an answer or a fault said that the newest number may be lost.
    var isExcused = false
    /// Whether an archive may be left elsewhere, since it could not leave its group.
    var mayLinger = false
    /// Whether it has mixed since it was made, read or purged: only then its state is saved unasked.
    var isChanged = false
  }

  struct Process: Sendable {
    let flux: Flux
    let store: SimulatedStore
    let clock = ManualArchiveScheduler()
    var groups: [ArchiveGroup] = []
    var sheets: [Int: Sheet] = [:]

    init(_ store: SimulatedStore, _ faults: Recorder<FlaskFault>, _ lost: Recorder<String>) {
      flux = Flux()
      flux.onFault = { fault in
        faults.append(fault)
        if fault.message.contains("so it is not tried again") { lost.append(fault.message) }
      }
      self.store = store
      groups = within { flux, clock in
        (0..<ArchiveEvent.groups).map { ArchiveGroup("g\($0)", in: store, scheduler: clock) }
      }
    }

    func within<Result>(_ body: (Flux, ManualArchiveScheduler) -> Result) -> Result {
      Flux.$current.withValue(flux) { body(flux, clock) }
    }

    func place(_ number: Int) -> any ArchiveBackend { number == 0 ? store : groups[number - 1] }

    func make(_ name: Int, _ place: Int) -> Sheet {
      within { _, clock in Sheet(name, in: self.place(place), clock) }
    }

    /// Waits until all work that was begun is done.
    func settle() {
      let keys = (0..<ArchiveEvent.names).map { "Fx.1.s\($0)" } + groups.map(\.archiver.contents.key)
      // The work of one archive may begin work of another one.
      for _ in 0..<3 {
        for key in keys { ArchiveSlot.of(key, in: store.location).performAndWait {} }
      }
      groups.first?.archiver.writer.waitForFaults()
    }
  }

  struct State: Sendable {
    var process: Process
    var known: [Known] = Array(repeating: Known(), count: ArchiveEvent.names)
    var number = 0
    var failure: String?
  }

  let state: Lock<State>
  let faults = Recorder<FlaskFault>()
  /// The messages of the faults that name a state as lost.
  let lost = Recorder<String>()

  init() { state = Lock(State(process: Process(SimulatedStore(), faults, lost))) }

  /// States that a fault has named as lost are not expected any more.
  func excuseLost() {
    for message in lost.take() {
      for name in 0..<ArchiveEvent.names where message.contains("Fx.1.s\(name)\"") {
        update(name) { $0.isExcused = true }
      }
    }
  }

  /// Performs a history.
  ///
  /// - Returns: what was wrong, with the event; `nil` if nothing was.
  static func failure(of history: [ArchiveEvent]) -> String? {
    let program = ArchiveProgram()
    for event in history {
      program.perform(event)
      program.process.settle()
      program.excuseLost()
      if let failure = program.state.withLock({ $0.failure }) { return "\(event): \(failure)" }
    }
    program.perform(.exit)
    return program.state.withLock { $0.failure }
  }

  var process: Process { state.withLock { $0.process } }
  func sheet(_ name: Int) -> Sheet? { state.withLock { $0.process.sheets[name] } }
  func known(_ name: Int) -> Known { state.withLock { $0.known[name] } }
  func fail(_ text: String) { state.withLock { $0.failure = $0.failure ?? text } }

  func update(_ name: Int, _ body: (inout Known) -> Void) {
    state.withLock { body(&$0.known[name]) }
  }

  func perform(_ event: ArchiveEvent) {
    switch event {
    case .make(let name, let place): make(name, place)
    case .mix(let name): mix(name)
    case .setBroken(let name, let isBroken):
      sheet(name)?.mix { $0.isBroken = isBroken }
      if sheet(name) != nil { update(name) { $0.isChanged = true } }
    case .save(let name): if let sheet = sheet(name) { save([name]) { sheet.archiveNow() } }
    case .saveGroup(let group):
      save(members(of: group).filter { known($0).isChanged }) { self.process.groups[group].archiveNow() }
    case .flush: save(Array(0..<ArchiveEvent.names).filter { known($0).isChanged }, flush)
    case .advance(let seconds): process.clock.advance(by: .seconds(seconds))
    case .join(let name, let group): join(name, group)
    case .leave(let name): leave(name)
    case .purge(let name): if let sheet = sheet(name) { purge([name]) { sheet.purgeArchive() } }
    case .purgeGroup(let group):
      let names = (0..<ArchiveEvent.names).filter { known($0).place == group + 1 }
      purge(names) { self.process.groups[group].purge() }
    case .release(let name): release(name)
    case .fail(let failures): process.store.fail(failures)
    case .during(let events): process.store.during { for event in events { self.perform(event) } }
    case .kill: restart(isKilled: true)
    case .exit: restart(isKilled: false)
    }
  }

  func members(of group: Int) -> [Int] {
    state.withLock { state in
      state.process.sheets.keys.filter { state.known[$0].place == group + 1 }
    }
  }

  func make(_ name: Int, _ place: Int) {
    let place = known(name).place ?? place
    let sheet = process.make(name, place)
    let number = sheet.state.number
    let isNew = self.sheet(name) == nil
    if isNew { check(name, number) }
    update(name) { known in
      known.place = place
      known.isChanged = false
      // One that is replaced has its last changes saved after the new one was read: what is read later is one or the
      // other.
      if !isNew { known.isExcused = true }
    }
    state.withLockReleasing { $0.process.sheets.updateValue(sheet, forKey: name) }
  }

  func mix(_ name: Int) {
    guard let sheet = sheet(name) else { return }
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    sheet.mix { $0.number = number }
    update(name) { known in
      known.committed = number
      known.isExcused = false
      known.isChanged = true
    }
  }

  func release(_ name: Int) {
    state.withLockReleasing { $0.process.sheets.removeValue(forKey: name) }
  }

  func flush() -> Bool {
    let location = process.store.location
    return Archivers.shared.flush { $0.backend.location == location }
  }

  /// Performs a save, and checks that its answer is true of what a new process reads.
  func save(_ names: [Int], _ body: () -> Bool) {
    let before = names.map { known($0).committed }
    let numbers = names.map { sheet($0)?.state.number }
    _ = faults.take()
    let answer = body()
    if !answer, faults.count == 0 { return fail("false without a fault") }
    guard answer else { return }
    for (index, name) in names.enumerated() {
      let asked = numbers[index] ?? before[index]
      update(name) { known in
        if known.isExcused { return }
        known.durable = max(known.durable, asked)
        known.mayBeAbsent = false
      }
      check(name, read(name), at: asked)
    }
  }

  func purge(_ names: [Int], _ body: () -> Bool) {
    let failures = process.store.writtenFailures
    guard body() else {
      // What failed after it was written may have been done.
      if process.store.writtenFailures > failures {
        for name in names {
          update(name) { known in
            known.mayBeAbsent = true
            known.isExcused = true
          }
        }
      }
      return
    }
    for name in names {
      update(name) { known in
        known.durable = known.committed
        known.mayBeAbsent = true
        known.isExcused = true
        known.isChanged = false
      }
      if read(name) != 0, !known(name).mayLinger { fail("s\(name) was purged, and is read as \(read(name))") }
    }
  }

  func join(_ name: Int, _ group: Int) {
    guard let sheet = sheet(name) else { return }
    if process.groups[group].join(sheet) {
      update(name) { known in
        known.place = group + 1
        known.isChanged = true
      }
    }
  }

  func leave(_ name: Int) {
    guard let sheet = sheet(name), let place = known(name).place, place > 0 else { return }
    let number = sheet.state.number
    if process.groups[place - 1].leave(sheet) {
      update(name) { $0.place = 0 }
      check(name, read(name), at: number)
    } else {
      update(name) { $0.mayLinger = true }
    }
  }
}
