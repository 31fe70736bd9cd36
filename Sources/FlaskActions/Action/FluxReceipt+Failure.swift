extension FluxReceipt {
  /// The failure of an action, once the action and everything that it caused has ended. If a reducer threw, it is the
  /// error of the reducer, and nothing was changed. Otherwise it is `UnansweredAction` if no worker and no substance
  /// has answered, or the error of the first effect that failed. `nil` if nothing did, also of an action that changed
  /// nothing.
  ///
  /// ```swift
  /// if let error = await Checkout().dispatch(with: shop).failure { return Response(error) }
  /// ```
  /// Waits as `finished` does. An error of an effect is also passed to `registerErrorHandler`. The error of a cancelled
  /// effect does not count.
  public var failure: (any Error)? {
    get async {
      await finished
      if case .failed(let error)? = outcomeIfKnown { return error }
      return (pending?.followUp as? ActionTracker ?? (pending?.followUp as? ActionFollowUp)?.tracker)?.failure
    }
  }
}
