internal import JWTCore

extension DocumentResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size. No field and no byte of the body is in it.
    public var description: String { "DocumentResponse(\(status), \(body.count) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
