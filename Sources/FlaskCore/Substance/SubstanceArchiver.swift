/// Archives one substance. `FlaskArchive` implements this protocol of the kernel.
///
/// The archiver is made when the substance is archived for the first time. Both methods are called without a lock.
package protocol SubstanceArchiver: AnyObject, Sendable {
  /// Called after a commit of the substance was published and before its reactions, on the thread that performs the
  /// operation.
  func didPublish(_ substance: AnySubstance)

  /// Called when the substance got another name, on the thread that renamed it.
  func didRename(_ substance: AnySubstance)
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
