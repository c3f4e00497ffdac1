internal import JWTCore

extension ReceivedResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size. No field and no byte of the body is in it.
    public var description: String { "ReceivedResponse(\(status), \(body.count) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
