extension FluxReceipt {
  /// The failure of an action, once the action and everything that it caused has ended:
  ///
  /// - the error of a reducer that threw, so that nothing was changed;
  /// - `UnansweredAction`, if no worker and no substance has answered the action;
  /// - the error of the first effect that failed;
  /// - `nil` in all other cases, even if the action changed nothing.
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
