extension ClaimsPolicy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of its issuers and audiences, and its algorithms. No name, nonce, token or code is in it.
    public var description: String {
        let names = algorithms.algorithms.map(\.name).joined(separator: " ")
        return "ClaimsPolicy(issuers: \(issuers.count), audiences: \(audiences.count), algorithms: \(names))"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
