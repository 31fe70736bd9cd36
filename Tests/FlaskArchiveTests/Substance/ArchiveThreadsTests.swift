import FlaskArchive
import Foundation
import Synchronization
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Archiving while other threads mix.
  @Suite struct ArchiveThreadsTests {
    private final class Hesitant: Vault<Tally>, @unchecked Sendable {
      let isOn = Atomic(false)

      override func archiveDisabled() -> Bool { !isOn.load(ordering: .relaxed) }
      override func archiveKey() -> String {
        usleep(2_000)
        return name()
      }
    }

    private let backend = BackendProbe()

    /// One that takes its time to say whether it is off.
    private final class Slow: Vault<Tally>, @unchecked Sendable {
      override func archiveDisabled() -> Bool {
        let isOff = super.archiveDisabled()
        usleep(.random(in: 0...300))
        return isOff
      }
    }

    @Test func `switched on and off by two threads at a time, it is archived if it is on at last`() async {
      for _ in 0..<100 {
        let vault = Slow(in: MemoryArchive())
        await OtherThread.run(times: 2) { vault.shouldArchive = $0 == 1 }
        #expect((vault.cell.notices & Cell.Notice.archive != 0) == vault.shouldArchive)
        #expect(vault.cell.isSavable == vault.shouldArchive)
      }
    }

    @Test func `mixes continue while a save hangs`() async {
      let vault = Vault<Tally>(in: backend)
      let gate = Gate()
      backend.hold(at: gate)
      vault.change { $0.prop.counter = 1 }
      vault.clock.advance(by: .seconds(2))
      await backend.saving.wait()
      for number in 2...1_000 { vault.change { $0.prop.counter = number } }
      vault.captureState()
      vault.change { $0.prop.text = "x" }
      vault.rollbackState()
      #expect(vault.state.counter == 1_000)
      #expect(backend.text() == nil)
      gate.open()
      vault.pass(.seconds(2))
      #expect(backend.text() == #"{"_hidden":0,"counter":1000,"text":""}"#)
      #expect(backend.saves == 2)
    }

    @Test func `the state that is saved is whole while others mix`() async {
      let vault = Vault<Tally>(in: backend)
      let rounds = Workload.count(2_000, full: 20_000)
      let stop = Recorder<Bool>()
      let backend = backend
      async let torn: Int = OtherThread.run {
        var torn = 0
        while stop.count == 0 {
          vault.archiveNow()
          let text = backend.text() ?? ""
          let counter = text.split(separator: ":").dropFirst(2).first?.split(separator: ",").first.flatMap {
            Int($0)
          }
          if text.filter({ $0 == "z" }).count != counter { torn += 1 }
        }
        return torn
      }
      await OtherThread.run(times: 2) { _ in
        for round in 1...rounds {
          vault.change {
            $0.prop.counter = round % 50
            $0.prop.text = String(repeating: "z", count: round % 50)
          }
        }
      }
      stop.append(true)
      #expect(await torn == 0)
    }

    @Test func `an archive that several threads begin at the same time is not said to be shared`() async {
      for round in 0..<20 {
        let vault = Hesitant("vault \(round)", in: backend)
        vault.isOn.store(true, ordering: .relaxed)
        await OtherThread.run(times: 4) { _ in vault.archiveNow() }
      }
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `turning on and off, names, saves and mixes from four threads at once report nothing`() async {
      let vault = Vault<Tally>(in: backend)
      await OtherThread.run(times: 4) { number in
        for round in 0..<200 {
          switch (number + round) % 4 {
          case 0: vault.change { $0.prop.counter += 1 }
          case 1: vault.shouldArchive = true
          case 2: vault.clock.advance(by: .milliseconds(700))
          default: vault.archiveNow()
          }
        }
      }
      await vault.archiveNow()
      #expect(backend.text() == #"{"_hidden":0,"counter":200,"text":""}"#)
    }

    @Test func `substances that are made and released on several threads are all saved`() async {
      let (backend, faults) = (backend, FaultLog.current)
      await OtherThread.run(times: 4) { number in
        // One flux each: in a common one a mix can wait for another thread, and its substance with it.
        let flux = Flux()
        flux.onFault = { faults.append($0) }
        Flux.$current.withValue(flux) {
          for round in 1...50 {
            Vault<Tally>("v\(number)", in: backend).change { $0.prop.counter = round }
            Flask.flushArchives()
          }
        }
      }
      let texts = (0..<4).map { backend.text("Fx.1.v\($0)") }
      #expect(texts == Array(repeating: #"{"_hidden":0,"counter":50,"text":""}"#, count: 4))
    }
  }
}
