internal import JWTCore

extension KeySetSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer, the address or the path; no byte of an inline document.
    public var description: String { "KeySetSource(\(String(reflecting: name)))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

extension KeySetStorage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path. The secret is not in it.
    public var description: String { "KeySetStorage(\(String(reflecting: path)))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
