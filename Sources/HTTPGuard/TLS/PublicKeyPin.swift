internal import JWTCore

/// The SHA-256 of a server's SubjectPublicKeyInfo (RFC 7469 section 2.4). A pin is an additional check; the certificate is still verified.
/// Pin the next key as well, or its roll-over locks you out.
public struct PublicKeyPin: Hashable, Sendable {
    private let digest: [UInt8]

    /// - Parameter base64: the digest, with an optional `sha256/` or `sha256//` prefix.
    /// - Throws: if that is not the base64 of 32 bytes.
    public init(_ base64: String) throws(ConfigurationFailure) {
        // The digest may begin with a slash itself, so the prefix is what stands before its 44 characters.
        let encoded = base64.suffix(44), prefix = base64.dropLast(44)
        let alphabet: [UInt8: UInt8] = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        let text = encoded.utf8.dropLast().map { alphabet[$0] ?? $0 }
        guard ["", "sha256/", "sha256//"].contains(prefix), encoded.utf8.count == 44, encoded.last == "=",
            !encoded.utf8.contains(where: { "-_".utf8.contains($0) }),
            let bytes = try? Base64URL.bytes(text.span)
        else { throw ConfigurationFailure("a pin is the base64 of a SHA-256, with 44 characters") }
        digest = bytes
    }

    /// The pin of a key.
    ///
    /// - Parameter key: its SubjectPublicKeyInfo (DER).
    init(key: [UInt8]) { digest = Digest.sha256.bytes(of: key.span) }
}
