internal import JWTCore

extension RemoteKeySet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of its source. No key is in it.
    public var description: String { "RemoteKeySet(\(String(reflecting: name)))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
