public import Observation

extension FluxStore: Observable {
  /// Notes that the state is being read, for `withObservationTracking`.
  final func observeAccess() {
    publishChanges()
    publisher.registrar.access(self, keyPath: stateKeyPath)
  }

  /// Has changes published from here on.
  final func publishChanges() {
    guard publisher.mustListen() else { return }
    publisher.add { [weak self] in
      guard let self else { return }
      self.publisher.registrar.willSet(self, keyPath: self.stateKeyPath)
      self.publisher.registrar.didSet(self, keyPath: self.stateKeyPath)
    }
    publisher.listen(
      observe(key: -1, on: nil) { [publisher] (_: UnsafeRawPointer, _: UnsafeRawPointer) in
        publisher.storeDidChange()
      }
    )
  }
}
