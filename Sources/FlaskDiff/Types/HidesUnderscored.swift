/// A type whose stored properties with names that begin with `_` are excluded from changes, such as the state of a
/// substance.
///
/// A type that does not conform hides nothing: a library may keep all that it has behind such names. Hidden properties
/// are copied and archived like any others. The storage of a property wrapper, `_name`, is not hidden: it is compared
/// under the name of the property.
public protocol HidesUnderscored {}
