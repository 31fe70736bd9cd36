import Flask
import Flights
import Foundation

/// Loads the names of the airlines, with the flux paused meanwhile.
///
/// Flights can be mixed all the while: they wait in the flux, and are performed in order once the lock is released. So
/// nothing is announced before the airlines have names.
@MainActor
final class AirlineLoader {
  private let file: URL

  init(airlines: Airlines, file: URL) {
    self.file = file
    Flask.reactor(attachedTo: self, mixing: [airlines]) { loader, reaction in
      reaction.on(\AirlinesState.isLoading) { change in
        if change.new { loader.load(holding: reaction.onLock) }
      }
    }
  }

  /// Pauses the flux and performs `Requested` on it; the reaction to it brings the lock.
  func start() { Flask.lock(withMixer: AirlineMixers.Requested) }

  private func load(holding lock: FluxLock?) {
    Task {
      do {
        finish(.Loaded, ["names": try await AirlineNames.load(from: file)])
      } catch {
        finish(.Failed, ["reason": "\(error)"])
      }
      lock?.release()
    }
  }

  /// Performs a mixer in the lane of a lock of its own: before the flights that wait.
  private func finish(_ mixer: AirlineMixers, _ payload: FluxPayload) {
    Flask.lock(withMixer: mixer, payload: payload).release()
  }
}
