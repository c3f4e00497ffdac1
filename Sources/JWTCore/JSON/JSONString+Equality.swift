// A JSON string is compared with Swift's by the unescaped bytes, as in ``JSONString/equals(_:)-(String)``, without allocating. It cannot be
// Equatable, since it is not escapable; so these operators exist separately, also for an optional claim.

extension JSONString {
    public static func == (a: borrowing JSONString, b: String) -> Bool { a.equals(b) }

    public static func != (a: borrowing JSONString, b: String) -> Bool { !a.equals(b) }

    public static func == (a: borrowing JSONString, b: StaticString) -> Bool { a.equals(b) }

    public static func != (a: borrowing JSONString, b: StaticString) -> Bool { !a.equals(b) }
}

/// False if there is no string.
public func == (a: borrowing JSONString?, b: String) -> Bool {
    switch a {
    case .some(let string): string.equals(b)
    case .none: false
    }
}

/// True if there is no string.
public func != (a: borrowing JSONString?, b: String) -> Bool { !(a == b) }
