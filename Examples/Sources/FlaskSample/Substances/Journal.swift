import Flask

/// What was read: a plain substance, mixed by whoever reads.
final class Journal: Substance<JournalState>, @unchecked Sendable {}
