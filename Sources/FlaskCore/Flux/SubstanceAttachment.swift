internal import Synchronization

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
  func draftWasCompared(of substance: Participant) -> Bool

  /// The drafts of all substances that the operation named have been compared, and nothing is visible yet.
  func willPublish(in transaction: FluxTransaction, isolation: ActorIdentity)

  /// All that the operation changed is the state now, and nobody has been notified. Whoever begins to want notices
  /// before the state is published, is found here at the latest.
  func didPublish(_ substance: Participant)

  /// All have been notified, or their notifications wait for them.
  func didNotify(in transaction: FluxTransaction)
}

/// An attachment of a substance, and the one that was made before it.
final class AttachmentLink: Sendable {
  let attachment: any SubstanceAttachment
  let next: AttachmentLink?

  init(_ attachment: any SubstanceAttachment, next: AttachmentLink?) {
    self.attachment = attachment
    self.next = next
  }
}

extension Participant {
  /// The attachment of a type, made when it is first asked for. From any thread. It is called only while notices are
  /// wanted: see `retainNotices()`.
  package func attachment<Attachment: SubstanceAttachment>(_ make: () -> Attachment) -> Attachment {
    while true {
      let head = attachments.load(ordering: .acquiring)
      var link = head?.object
      while let present = link {
        if type(of: present.attachment) == Attachment.self {
          return unsafeDowncast(present.attachment, to: Attachment.self)
        }
        link = present.next
      }
      let new = make()
      let owned = Borrowed.owned(AttachmentLink(new, next: head?.object))
      if attachments.compareExchange(expected: head, desired: owned, ordering: .acquiringAndReleasing)
        .exchanged
      {
        // The new link holds it now.
        head?.release()
        return new
      }
      owned.release()
    }
  }

  private func forEachAttachment(_ body: (any SubstanceAttachment) -> Void) {
    var next = attachments.load(ordering: .acquiring)
    while let link = next {
      link.use {
        body($0.attachment)
        next = $0.next.map { Borrowed($0) }
      }
    }
  }

  // MARK: By the performer

  /// Step 1. Returns whether step 2 is wanted.
  func tellAttachmentsOfDraft() -> Bool {
    var isWanted = false
    forEachAttachment { if $0.draftWasCompared(of: self) { isWanted = true } }
    return isWanted
  }

  /// Step 2.
  func tellAttachmentsBefore(_ transaction: FluxTransaction, isolation: ActorIdentity) {
    forEachAttachment { $0.willPublish(in: transaction, isolation: isolation) }
  }

  /// Step 3.
  func tellAttachmentsOfCommit() { forEachAttachment { $0.didPublish(self) } }

  /// Step 4.
  func tellAttachmentsAfter(_ transaction: FluxTransaction) {
    forEachAttachment { $0.didNotify(in: transaction) }
  }
}
