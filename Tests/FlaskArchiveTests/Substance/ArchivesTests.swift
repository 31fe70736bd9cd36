import Testing
@testable import KernelFixtures

/// The archives of substances. One test at a time: a flush saves whatever has changed in the whole process.
@Suite(.serialized, .ownFlux) enum ArchivesTests {}
