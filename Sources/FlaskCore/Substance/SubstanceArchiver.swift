/// Archives one substance. `FlaskArchive` implements this protocol of the kernel.
///
/// The archiver is made when the substance is archived for the first time. All members are called without a lock.
package protocol SubstanceArchiver: AnyObject, Sendable {
  /// Why the substance is not archived, and what to do: a part of a message, behind the name of the substance. It is
  /// `nil` if nothing has refused it.
  var refusal: String? { get }

  /// Called after a commit of the substance was published and before its reactions, on the thread that performs the
  /// operation.
  func didPublish(_ substance: AnySubstance)

  /// Called when the substance got another name, on the thread that renamed it.
  func didRename(_ substance: AnySubstance)
}

/// The archiver of a substance whose place could not take it. It is kept, so that no later request archives the state
/// in the default place, which the client has not named.
package final class RefusedArchiver: SubstanceArchiver {
  package let refusal: String?

  package init(_ reason: String) { refusal = reason }

  package func didPublish(_ substance: AnySubstance) {}
  package func didRename(_ substance: AnySubstance) {}
}

extension AnySubstance {
  /// Keeps the reason why a place has not taken the substance, unless the substance is archived elsewhere. Call it
  /// before the refusal is reported: a fault handler may ask for another archive.
  package final func refuseArchiving(_ reason: String) {
    let new = RefusedArchiver(reason)
    let held = archiver.object { Held(new) }
    if held.value === new { isArchiveWanted = false }
  }
}

/// Begins to archive substances. `FlaskArchive` conforms `ArchiveSupport` to this; the kernel finds the conformance at
/// run time if that module is part of the program. A place that archives by itself, such as a shared group, conforms
/// too.
package protocol ArchiveProvider: ArchivePlace {
  /// Gives a substance that is being made its archived state, and saves its later changes. From a `DeferredArchive` the
  /// substance gets the archived state later, by an operation. While `isArchivingOff()` is `true`, nothing is read or
  /// saved.
  ///
  /// - Parameters:
  ///   - substance: the substance, which no other thread has yet.
  ///   - place: the place of the archive; `nil` for the default.
  func begin<S>(_ substance: Substance<S>, in place: (any ArchivePlace)?)
}

/// The type that `FlaskArchive` conforms to `ArchiveProvider`.
package struct ArchiveSupport: ArchivePlace {
  /// The module for archives; `nil` if `FlaskArchive` is not part of the program.
  static let provider = ArchiveSupport() as Any as? any ArchiveProvider
}
