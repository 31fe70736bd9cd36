/// The short name of ``FlaskNSRef``.
public typealias FlaskRef = FlaskNSRef
