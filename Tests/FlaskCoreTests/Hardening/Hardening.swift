import Testing

/// What the first version did wrong, and what must hold from every place and in every order.
@Suite enum Hardening {}
