import Flask

/// The records: a plain substance, mixed together with `Journal`.
final class Records: Substance<RecordsState>, @unchecked Sendable {}
