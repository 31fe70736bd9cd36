public import FlaskCore
public import FlaskInsight
internal import Foundation

/// A page that shows what a flux does, while it does it.
///
/// ```swift
/// try await Inspector.serve(showing: cart, session)
/// // The inspector is at http://127.0.0.1:51234/3f0c…/
/// ```
/// The page is served on the loopback address alone, below a path that nobody can guess. It shows the operations and
/// their causes, the states at any moment, what lives in the flux, where time goes, and faults. Nothing is sent
/// anywhere else. What is marked `Redacted` is on no page.
///
/// The page can also have the app show what it showed after an earlier operation. Meanwhile the flux stands still: what
/// is submitted waits, archives keep to the present. It ends from the page, or some seconds after the last page was
/// closed.
///
/// The newest operations are kept as text, for any number of pages; a page that reads slowly misses some, and holds up
/// nobody. While it serves, the flux is traced with values and, if all of them are shown, recorded into a file, which
/// costs each operation some microseconds.
public final class Inspector: Sendable {
  /// Why it does not serve.
  public enum Failure: Error, Sendable, Hashable {
    /// This is a release build, and nobody said that it may.
    case releaseBuild
  }

  /// Where a browser finds the page. Who knows it sees everything.
  public let address: String
  private let feed: Feed
  private let watch: FluxWatch
  private let traveller: Traveller?
  private let server: InspectorServer
  private let redacting: [Redaction]
  private let flux: Flux

  /// Begins to serve, until `stop()` or the end of the process; it need not be held. From any thread.
  ///
  /// - Parameters:
  ///   - substances: those of whose states all keys are shown, and that show the past if their states are `Codable`. Of
  ///     others, what has changed meanwhile is shown.
  ///   - flux: what is shown; `nil` for the current flux.
  ///   - port: 0 for any that is free.
  ///   - values: whose values are shown. If these are not all, nothing is recorded, since a recording has all of them:
  ///     then the app can't show the past, and no selection can be saved. If they are, some 16 MB are recorded.
  ///   - redacting: what is kept out, beside what is marked `Redacted`.
  ///   - budgets: what takes longer is a fault.
  ///   - capacity: how many operations are kept.
  ///   - isAllowedInReleaseBuilds: whether it serves in release builds, too.
  ///   - announce: told the address once. It is written to standard error unless said otherwise.
  /// - Throws: `Failure.releaseBuild`; `RecordingError` or `CocoaError` if no file to record into can be made in the
  ///   temporary folder; or what the system says if it can't listen.
  @discardableResult
  public static func serve<each S: Sendable>(
    showing substances: repeat TypedSubstance<each S>,
    of flux: Flux? = nil,
    port: UInt16 = 0,
    values: TracedValues = .all,
    redacting: [Redaction] = [],
    budgets: Budgets = Budgets(),
    capacity: Int = 100_000,
    isAllowedInReleaseBuilds: Bool = false,
    announce: @Sendable (String) -> Void = Inspector.writeToStandardError
  ) async throws -> Inspector {
    try await serve(
      showing: repeat each substances,
      of: flux,
      port: port,
      values: values,
      redacting: redacting,
      budgets: budgets,
      capacity: capacity,
      recording: values.areAll ? RecordingLimits(bytes: 16 << 20) : nil,
      isAllowedInReleaseBuilds: isAllowedInReleaseBuilds,
      announce: announce
    )
  }

  /// Begins to serve as the other one does, and is told what to record.
  ///
  /// - Parameters:
  ///   - substances: those of whose states all keys are shown, and that show the past if their states are `Codable`. Of
  ///     others, what has changed meanwhile is shown.
  ///   - flux: what is shown; `nil` for the current flux.
  ///   - port: 0 for any that is free.
  ///   - values: whose values are shown. A recording has all of them, whatever this says, and who knows the address can
  ///     save it.
  ///   - redacting: what is kept out of the page and of the recording, beside what is marked `Redacted`.
  ///   - budgets: what takes longer is a fault.
  ///   - capacity: how many operations are kept.
  ///   - recording: how much of what happens is recorded, into a file that only this user can read. It is what the app
  ///     shows of the past, and what selections are saved from; `nil` for neither. `stop()` removes the file. If the
  ///     process ends without that, the next `serve()` of any process of this user does.
  ///   - isAllowedInReleaseBuilds: whether it serves in release builds, too.
  ///   - announce: told the address once. It is written to standard error unless said otherwise.
  /// - Throws: `Failure.releaseBuild`; `RecordingError` or `CocoaError` if no file to record into can be made in the
  ///   temporary folder; or what the system says if it can't listen.
  @discardableResult
  public static func serve<each S: Sendable>(
    showing substances: repeat TypedSubstance<each S>,
    of flux: Flux? = nil,
    port: UInt16 = 0,
    values: TracedValues = .all,
    redacting: [Redaction] = [],
    budgets: Budgets = Budgets(),
    capacity: Int = 100_000,
    recording: RecordingLimits?,
    isAllowedInReleaseBuilds: Bool = false,
    announce: @Sendable (String) -> Void = Inspector.writeToStandardError
  ) async throws -> Inspector {
    #if !DEBUG
      if !isAllowedInReleaseBuilds { throw Failure.releaseBuild }
    #endif
    let feed = Feed(capacity: capacity)
    let flux = flux ?? Flux.current
    var named: [AnySubstance] = []
    var travelling: [AnySubstance] = []
    for substance in repeat each substances {
      named.append(substance)
      if isCodable(substance) && substance.flux === flux { travelling.append(substance) }
    }
    let traveller = try recording.map {
      try Traveller(
        of: flux,
        beginningWith: named,
        travellingWith: travelling,
        limits: $0,
        redacting: redacting,
        in: RecordingFolder()
      )
    }
    let labels = SubstanceLabels()
    let watch = FluxWatch(
      flux,
      into: feed,
      values: values,
      redacting: redacting,
      budgets: budgets,
      labels: labels,
      traveller: traveller
    )
    var head = [
      PageLine.text(
        HeadLine(
          title: title,
          began: Int(Date.now.timeIntervalSince1970 * 1_000),
          isRecorded: traveller != nil,
          canTravel: traveller?.canTravel ?? false
        )
      )
    ]
    for substance in repeat each substances {
      let label = labels.label(of: substance.recordNumber, named: substance.name())
      let keys = substance.keyTexts(values, redacting: redacting)
      head.append(PageLine.text(StateLine(of: label, keys: keys)))
    }
    await feed.setHead(head)
    do {
      let server = try await InspectorServer(
        feed,
        port: port,
        traveller: traveller,
        selection: traveller?.selecting
      )
      announce("The inspector is at \(server.address)")
      return Inspector(feed, watch, traveller, server, flux, redacting)
    } catch {
      watch.stop()
      await traveller?.stop()
      throw error
    }
  }

  private init(
    _ feed: Feed,
    _ watch: FluxWatch,
    _ traveller: Traveller?,
    _ server: InspectorServer,
    _ flux: Flux,
    _ redacting: [Redaction]
  ) {
    address = server.address
    self.feed = feed
    self.watch = watch
    self.traveller = traveller
    self.server = server
    self.flux = flux
    self.redacting = redacting
  }

  /// Ends a look at the past, recording and all connections. Idempotent.
  public func stop() async {
    watch.stop()
    await traveller?.stop()
    await feed.finish()
    await server.stop()
  }

  /// The page with all that it shows now, as one HTML file that works by itself.
  public func html() async -> String {
    await feed.setLive(PageLine.text(FluxWatch.live(flux, redacting: redacting, traveller)))
    return OnePage.html(of: await feed.all)
  }

  /// Writes a line to standard error.
  public static let writeToStandardError: @Sendable (String) -> Void = { line in
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }

  private static func isCodable<S>(_: TypedSubstance<S>) -> Bool {
    S.self is any (Decodable & Encodable).Type
  }

  private static var title: String { ProcessInfo.processInfo.processName }
}
