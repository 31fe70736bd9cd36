/// The options of a mix, a chain, a mixer or an action: what its caller says beside the substances and the closure.
///
/// A public function makes them of its parameters, and the functions between it and the flux pass them on. So a new
/// option is a property here, a parameter of the public functions that offer it, and what the flux makes of it
/// (`FluxOperation`). The kind, the name and the origin of an operation are no options: the code that submits it knows
/// them (`OperationIdentity`).
///
/// The struct has three words, so that it is passed in registers.
@usableFromInline
package struct MixOptions: Sendable {
  /// The source location of the call.
  @usableFromInline package let place: SourcePlace
  /// The actor on which the caller claims to be.
  @usableFromInline package let isolation: ActorIdentity

  @inlinable
  package init(at place: SourcePlace, isolation: ActorIdentity) {
    self.place = place
    self.isolation = isolation
  }

  /// - Parameters: those that the compiler supplies to each public function.
  @inlinable
  package init(_ isolation: (any Actor)?, _ fileID: StaticString, _ line: UInt) {
    self.init(at: SourcePlace(fileID, line), isolation: ActorIdentity(isolation))
  }
}
