internal import Dispatch
internal import FlaskPrimitives

extension Flask {
  /// Calls `make` on a separate thread, and suspends until it has returned: for objects that read archives when they
  /// are made. A large archive takes a fraction of a second, in which the calling actor does other work.
  ///
  /// ```swift
  /// let board = await Flask.opened { Substance<Board>(name: "board", archive: true) }
  /// ```
  /// `make` has the flux of the caller. Other task-local values do not reach it, and neither does cancellation.
  ///
  /// - Parameter make: makes one substance or store, or a model of several. It is called without isolation to an actor.
  /// - Returns: what `make` returned.
  public static func opened<Opened: Sendable>(_ make: @escaping @Sendable () -> Opened) async -> Opened {
    let flux = Flux.current
    return await handedOver { deliver in
      DispatchQueue.global(qos: .userInitiated).async {
        deliver(Flux.$current.withValue(flux, operation: make))
      }
    }
  }

  /// The backend of substances that were given no backend. By default it is `UserDefaults` on Apple's systems, as
  /// documented. Elsewhere it is a folder of files, since `UserDefaults` is not durable there. A new backend applies to
  /// archives that are opened after the assignment.
  public static var defaultArchive: any ArchiveBackend {
    get { DefaultArchive.backend.withLock { $0 } }
    set {
      // The old backend is released after the lock, since its release may run a `deinit` of client code.
      DefaultArchive.backend.withLockReleasing { backend in
        defer { backend = newValue }
        return backend
      }
    }
  }

  /// Saves whatever has changed in archived substances, and waits until it is durable. A normal end of the process does
  /// the same.
  ///
  /// - Returns: whether all states are durable; a fault was reported for each that is not.
  @discardableResult
  public static func flushArchives() -> Bool { Archivers.shared.flush() }

  /// Saves whatever has changed in archived substances, and suspends until it is durable.
  ///
  /// - Returns: whether all states are durable; a fault was reported for each that is not.
  @discardableResult
  public static func flushArchives() async -> Bool { await Archivers.shared.flush() }
}
