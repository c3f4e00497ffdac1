internal import JWTCore

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm. No key material and no `kid` is in it.
    public var description: String { "SigningKey(\(algorithm.name))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
