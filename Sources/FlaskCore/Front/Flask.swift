// The module `FlaskDiff` is re-exported in `Exports.swift`, since an observer of a list or a dictionary gets
// `ElementChanges` or `EntryChanges`.

/// The namespace of Flask's functions that make substances, attach reactors, apply mixers and take locks.
///
/// A call that needs a flux uses `Flux.current`. This is the shared flux, `Flask.bus`, unless another flux has been
/// set.
public enum Flask {
  /// The shared flux, which is current by default. Most apps need no other flux.
  public static var bus: Flux { Flux.shared }

  /// Called with each fault, on the thread on which the fault occurs, unless the flux of the fault has a separate
  /// `onFault`. By default faults go to standard error, and to the unified log on Apple's systems.
  public static var onFault: @Sendable (FlaskFault) -> Void {
    get { FaultHandler.shared.handler }
    set { FaultHandler.shared.current = newValue }
  }
}
