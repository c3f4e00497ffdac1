internal import JWTCore
internal import JWTSigning

/// A document for tests with the signatures of several keys, in JWS JSON serialization (RFC 7515 section 7.2).
///
/// ```swift
/// var manifest = SignedDocument(#"{"version":7}"#)
/// try manifest.sign(with: release, protected: ["typ": "manifest+jws"])
/// try manifest.sign(with: security, protected: ["typ": "manifest+jws"])
/// let document = try verifier.verify(manifest.general())
/// ```
public struct SignedDocument: Sendable {
    /// What is signed.
    public let payload: [UInt8]
    /// Whether the payload is signed as it is: `b64: false` (RFC 7797). In a document that has its payload, the payload is then text.
    public let isUnencoded: Bool
    private var signatures: [[String: JSONTree]] = []

    /// - Parameters:
    ///   - payload: any bytes.
    ///   - isUnencoded: whether the payload is signed without base64url.
    public init(_ payload: [UInt8], isUnencoded: Bool = false) {
        self.payload = payload
        self.isUnencoded = isUnencoded
    }

    /// - Parameters:
    ///   - payload: any text, signed as UTF-8.
    ///   - isUnencoded: whether the payload is signed without base64url.
    public init(_ payload: String, isUnencoded: Bool = false) { self.init(Array(payload.utf8), isUnencoded: isUnencoded) }

    /// Adds a signature.
    ///
    /// - Parameters:
    ///   - key: signs.
    ///   - protected: members that are put over `alg`, `kid`, and for an unencoded payload `b64` and `crit`; nil takes a member away. A
    ///     header without members is left out.
    ///   - unprotected: the unprotected header; empty leaves it out.
    /// - Throws: the errors of a value's encoding; ``TestKeyError/signing``.
    public mutating func sign(
        with key: TestKey, protected: [String: (any Encodable)?] = [:], unprotected: [String: (any Encodable)?] = [:]
    ) throws {
        var header = try ClaimMembers(["alg": key.algorithm.name, "kid": key.keyID])
        if isUnencoded { try header.merge(["b64": false, "crit": ["b64"]]) }
        try header.merge(protected)
        let written = header.isEmpty ? "" : Base64URL.text(header.json.utf8)
        guard let signature = key.signing.signature(of: Array("\(written).".utf8) + writtenPayload) else { throw TestKeyError.signing }
        var members = ["signature": JSONTree.string(Base64URL.text(signature))]
        if !written.isEmpty { members["protected"] = .string(written) }
        let open = try ClaimMembers(unprotected)
        if !open.isEmpty { members["header"] = try JSONTree(parsing: Array(open.json.utf8)) }
        signatures.append(members)
    }

    /// The general serialization (RFC 7515 section 7.2.1), with every signature.
    ///
    /// - Parameter isDetached: whether the payload is left out (RFC 7515 appendix F).
    public func general(isDetached: Bool = false) -> String {
        text(["signatures": .array(signatures.map { .object($0) })], isDetached)
    }

    /// The flattened serialization (RFC 7515 section 7.2.2), with the first signature alone.
    ///
    /// - Parameter isDetached: whether the payload is left out (RFC 7515 appendix F).
    public func flattened(isDetached: Bool = false) -> String { text(signatures.first ?? [:], isDetached) }

    private func text(_ members: [String: JSONTree], _ isDetached: Bool) -> String {
        var members = members
        if !isDetached { members["payload"] = .string(String(decoding: writtenPayload, as: UTF8.self)) }
        return String(decoding: JSONTree.object(members).json, as: UTF8.self)
    }

    /// The payload as it is signed.
    private var writtenPayload: [UInt8] { isUnencoded ? payload : Base64URL.encode(payload) }
}
