internal import JWTCore

/// Makes compact JWS tokens.
public struct TokenSigner: Sendable {
    private let key: SigningKey

    public init(_ key: SigningKey) { self.key = key }

    /// Signs `payload`, a JSON text, under a header with the key's `alg` and `kid`, and `typ`.
    ///
    /// - Parameter type: the media type in the header; nil leaves it out.
    /// - Returns: the token; nil if libcrypto refuses to sign.
    public func token(payload: String, type: String? = "JWT") -> String? {
        var header = "{\"alg\":\(JSONText.quoted(key.algorithm.name))"
        if let type { header += ",\"typ\":\(JSONText.quoted(type))" }
        if let keyID = key.keyID { header += ",\"kid\":\(JSONText.quoted(keyID))" }
        return token(header: header + "}", payload: Array(payload.utf8))
    }

    /// Signs any payload under any header text, even an invalid one: for tests of verifiers.
    public func token(header: String, payload: [UInt8]) -> String? {
        let input = Base64URL.encode(header.utf8) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
        guard let signature = key.signature(of: input) else { return nil }
        return String(decoding: input + [UInt8(ascii: ".")] + Base64URL.encode(signature), as: UTF8.self)
    }
}

/// Writing JSON strings.
public enum JSONText {
    /// `text` in quotes, with the characters escaped that RFC 8259 section 7 requires.
    public static func quoted(_ text: String) -> String { String(decoding: JSONTree.string(text).json, as: UTF8.self) }
}
