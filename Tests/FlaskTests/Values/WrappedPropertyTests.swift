import FlaskEntities
import TestSupport
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures

/// Properties with a wrapper below the top level of a state: in structs, lists, entities, dictionaries and payloads.
@Suite(.ownFlux) struct WrappedPropertyTests {
  @propertyWrapper struct Clamped: Codable, Sendable, Equatable {
    var wrappedValue = 0 {
      didSet { wrappedValue = min(max(wrappedValue, 0), 10) }
    }
  }

  @propertyWrapper struct Volume: Codable, Sendable {
    private var value = 0
    init() {}
    var wrappedValue: Int {
      get { value }
      set { value = min(max(newValue, 0), 10) }
    }
  }
  struct Track: Identifiable, Codable, Sendable {
    let id: Int
    @Volume var volume
    @Clamped var pan
  }
  enum Output: Codable, Sendable { case none, track(Track) }
  struct Studio: FlaskState {
    var master = Track(id: 0)
    var list = [Track(id: 1)]
    var tracks = Entities([Track(id: 1)])
    var byName = ["a": Track(id: 1)]
    var maybe: Track? = Track(id: 1)
    var output = Output.track(Track(id: 1))
  }

  /// Each of them alone, since what one looks for must not make another one hear.
  @Test(arguments: ["master", "list", "tracks", "byName", "maybe", "output"])
  func `below the top level it is reported`(
    place: String
  ) async throws {
    for isVolume in [true, false] {
      let studio = Substance<Studio>()
      let tokens = Recorder<String>()
      var kept: [SubstanceObservation] = []
      kept.append(studio.observe(\.self, isolation: nil) { _, _ in tokens.append("state") })
      kept.append(studio.observe(key: place, isolation: nil) { _ in tokens.append("key") })
      let volumes = Derived {
        studio.list.map { $0.volume + $0.pan } + studio.tracks.map { $0.volume + $0.pan }
          + [studio.master.volume + studio.master.pan]
      }
      #expect(volumes.value == [0, 0, 0])
      @Sendable func change(_ track: inout Track) { if isVolume { track.volume = 5 } else { track.pan = 5 } }
      let receipt = studio.mix(isolation: nil) { studio in
        switch place {
        case "master": change(&studio.master)
        case "list": change(&studio.list[0])
        case "tracks": studio.tracks.update(id: 1) { change(&$0) }
        case "byName":
          studio.byName["a"].map {
            var track = $0; change(&track); studio.byName["a"] = track
          }
        case "maybe":
          studio.maybe.map {
            var track = $0; change(&track); studio.maybe = track
          }
        default:
          var track = Track(id: 1)
          change(&track)
          studio.output = .track(track)
        }
      }
      guard case .committed(let keys) = receipt.outcomeIfKnown else {
        Issue.record("\(place): \(String(describing: receipt.outcomeIfKnown))")
        continue
      }
      #expect(keys.first == place)
      #expect(tokens.all.sorted() == ["key", "state"])
      if place == "list" { #expect(volumes.value == [5, 0, 0]) }
      if place == "tracks" { #expect(volumes.value == [0, 5, 0]) }
      if place == "master" { #expect(volumes.value == [0, 0, 5]) }
      withExtendedLifetime(kept) {}
    }
  }
}
