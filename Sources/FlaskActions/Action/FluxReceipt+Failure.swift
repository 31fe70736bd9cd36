extension FluxReceipt {
  /// The failure of an action, once it and everything that it caused has ended: the error of a reducer, so that nothing
  /// was changed; else the lack of an answer (`UnansweredAction`), or the error of the first of its effects that
  /// failed. `nil` if nothing did, also of an action that changed nothing.
  ///
  /// ```swift
  /// if let error = await Checkout().dispatch(with: shop).failure { return Response(error) }
  /// ```
  /// Waits as `finished` does. An error of an effect goes to `registerErrorHandler` all the same; that of a cancelled
  /// one does not count.
  public var failure: (any Error)? {
    get async {
      await finished
      if case .failed(let error)? = outcomeIfKnown { return error }
      return (pending?.followUp as? ActionTracker ?? (pending?.followUp as? ActionFollowUp)?.tracker)?.failure
    }
  }
}
