/// What a hostile token is made for: an algorithm, and the key and issuer that it names.
public struct HostileTarget: Sendable {
    public let algorithm, keyID, issuer: String
    /// A wrong signature in base64url. Its numbers are in range, so that only the arithmetic refuses it.
    public let signature: String

    /// - Parameter signatureBytes: the length that the algorithm wants.
    public init(algorithm: String, signatureBytes: Int, keyID: String, issuer: String) {
        (self.algorithm, self.keyID, self.issuer) = (algorithm, keyID, issuer)
        signature = String(repeating: "AQEB", count: signatureBytes / 3) + ["", "AQ", "AQE"][signatureBytes % 3]
    }

    var header: String { #"{"alg":"\#(algorithm)","kid":"\#(keyID)"}"# }
}
