extension FluxReceipt {
  /// The failure of an action, once it and everything that it led to has ended: what a reducer threw, so that
  /// nothing was changed; else that nobody answers it (`UnansweredAction`), or what the first of its effects threw.
  /// `nil` if nothing did, also of an action that changed nothing.
  ///
  /// ```swift
  /// if let error = await Checkout().dispatch(with: shop).failure { return Response(error) }
  /// ```
  /// Waits as `finished` does. What an effect throws goes to `registerErrorHandler` all the same; what a cancelled one
  /// throws does not count.
  public var failure: (any Error)? {
    get async {
      await finished
      if case .failed(let error)? = outcomeIfKnown { return error }
      return (pending?.followUp as? ActionTracker ?? (pending?.followUp as? ActionFollowUp)?.tracker)?.failure
    }
  }
}
