import Flask

/// The progress of reading: actions from whoever reads, an effect that shows them.
@MainActor
final class Progress {
  private let dispatcher = FluxDispatcher()
  private var first: FluxReceipt?

  init(screen: Screen) {
    dispatcher.register(workers: [ProgressReporter { [weak screen] in screen?.showProgress($0) }])
  }

  func report(_ count: Int) {
    let receipt = LinesRead(count: count).dispatch(with: dispatcher)
    if first == nil { first = receipt }
  }

  /// Shows nothing any more, once the first report has been shown.
  func finish() async {
    await first?.finished
    dispatcher.cancelEffects(id: ProgressReporter.effect)
  }
}
