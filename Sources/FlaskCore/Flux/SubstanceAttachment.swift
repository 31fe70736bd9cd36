/// Where extensions of the kernel begin: what is attached to a substance sees each of its commits from within.
///
/// An operation over substances with attachments is committed in these steps:
/// 1. The drafts of all its substances are compared; `draftWasCompared` for each that differs.
/// 2. `willPublish` for each that wanted it. Nothing is visible yet; it may have other substances take part
///    (`FluxTransaction.append`), whose drafts it has written and compared.
/// 3. All drafts become the states; `didPublish` for each substance that has changed.
/// 4. Reactors and observers are notified; `didNotify` for each as in step 2.
///
/// All of them run on the thread that performs the operation, with no lock held. An attachment is made once for a
/// substance and goes with it. A substance without one pays for none of this: that is known by the look that each
/// commit takes at its notices.
package protocol SubstanceAttachment: AnyObject, Sendable {
  /// A draft differs from the state (`changes`).
  ///
  /// - Returns: whether `willPublish` and `didNotify` are to be called.
  func draftWasCompared(of substance: Cell) -> Bool

  /// The drafts of all substances that the operation named have been compared, and nothing is visible yet.
  func willPublish(in transaction: FluxTransaction, isolation: ActorIdentity)

  /// All that the operation changed is the state now, and nobody has been notified. Whoever begins to want notices
  /// before the state is published, is found here at the latest.
  func didPublish(_ substance: Cell)

  /// All have been notified, or their notifications wait for them.
  func didNotify(in transaction: FluxTransaction)
}

/// Holds the attachment of a substance.
final class HeldAttachment: Sendable {
  let attachment: any SubstanceAttachment

  init(_ attachment: any SubstanceAttachment) { self.attachment = attachment }
}

extension Cell {
  /// The attachment, made when it is first asked for; there is one type of them. From any thread. It is called only
  /// while notices are wanted: see `retainNotices()`.
  package func attachment<Attachment: SubstanceAttachment>(_ make: () -> Attachment) -> Attachment {
    unsafeDowncast(attached.object { HeldAttachment(make()) }.attachment, to: Attachment.self)
  }

  // MARK: By the performer

  /// Step 1. Returns whether step 2 is wanted.
  func tellAttachmentOfDraft() -> Bool {
    attached.present?.use { $0.attachment.draftWasCompared(of: self) } ?? false
  }

  /// Step 2.
  func tellAttachmentBefore(_ transaction: FluxTransaction, isolation: ActorIdentity) {
    attached.present?.use { $0.attachment.willPublish(in: transaction, isolation: isolation) }
  }

  /// Step 3.
  func tellAttachmentOfCommit() { attached.present?.use { $0.attachment.didPublish(self) } }

  /// Step 4.
  func tellAttachmentAfter(_ transaction: FluxTransaction) {
    attached.present?.use { $0.attachment.didNotify(in: transaction) }
  }
}
