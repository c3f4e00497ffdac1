internal import JWTCore

extension TrustedIssuers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of issuers. No policy, nonce or key is in it.
    public var description: String { "TrustedIssuers(\(keySets.count) key sets)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

extension IssuerConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer. No value of its policy and no secret of its storage is in it.
    public var description: String { "IssuerConfiguration(\(String(reflecting: issuer)))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

extension IssuerTemplate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The pattern of the issuers. No value of its policy is in it.
    public var description: String { "IssuerTemplate(\(String(reflecting: configuration.issuer)))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
