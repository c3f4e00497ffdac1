internal import JWTCore

/// The header of an encrypted token (RFC 7516 section 4), checked for form. Its content is not trusted.
///
/// `jku`, `jwk`, `x5u`, `x5c` and `x5t` are never read: a token does not choose its keys.
struct EncryptionHeader {
    let algorithm: KeyManagementAlgorithm
    let encryption: ContentEncryption
    let keyID: String?
    /// The sender's key, with every algorithm that agrees on a key.
    let ephemeralKey: EphemeralKey?
    /// `zip` is `DEF`.
    let isCompressed: Bool
    /// AlgorithmID, PartyUInfo, PartyVInfo and SuppPubInfo of Concat KDF (RFC 7518 section 4.6.2); empty without an ephemeral key.
    let information: [UInt8]

    /// - Parameter needsContentType: whether a missing `cty` is a fault.
    /// - Throws: `token_too_large`, the codes of JSON, `invalid_header`, `missing_algorithm`, `unsecured_token`, `unsupported_algorithm`,
    ///   `unsupported_encryption`, `unsupported_critical`, `type_mismatch`, `invalid_ephemeral_key`.
    init(_ text: [UInt8], needsContentType: Bool) throws(VerificationError) {
        let document = try ParsedJSON(text, limits: Self.limits)
        let header = document.root
        guard header.isObject else { throw VerificationError(.invalidHeader) }
        algorithm = try Self.algorithm(header)
        encryption = try Self.encryption(header)
        try Self.checkCritical(header)
        try Self.checkContentType(header, isNeeded: needsContentType)
        keyID = try Self.text(header, "kid")
        isCompressed = try Self.isCompressed(header)
        guard KeyManagementAlgorithm.agreement.contains(algorithm) else {
            (ephemeralKey, information) = (nil, [])
            return
        }
        guard let jwk = header["epk"], jwk.isObject else { throw VerificationError(.invalidEphemeralKey) }
        ephemeralKey = try EphemeralKey(jwk)
        information = try Self.information(algorithm, encryption, header)
    }

    /// Those of a signed token's header, in the same places.
    private static let limits: JSONLimits = {
        var limits = JSONLimits(depth: 8, members: 32, values: 64, stringBytes: 4_096, numberBytes: 64)
        (limits.escapes, limits.escapedNameBytes) = (256, 128)
        return limits
    }()

    /// The text of an optional member.
    private static func text(_ header: borrowing JSONValue, _ name: String) throws(VerificationError) -> String? {
        guard let value = header[name] else { return nil }
        guard let text = value.string else { throw VerificationError(.invalidHeader) }
        return text.string
    }

    private static func algorithm(_ header: borrowing JSONValue) throws(VerificationError) -> KeyManagementAlgorithm {
        guard let value = header["alg"] else { throw VerificationError(.missingAlgorithm) }
        guard let name = value.string else { throw VerificationError(.invalidHeader) }
        for algorithm in KeyManagementAlgorithm.allCases where name.equals(algorithm.rawValue) { return algorithm }
        throw VerificationError(name.equals("none") ? .unsecuredToken : .unsupportedAlgorithm)
    }

    private static func encryption(_ header: borrowing JSONValue) throws(VerificationError) -> ContentEncryption {
        guard let name = header["enc"]?.string else { throw VerificationError(.invalidHeader) }
        for encryption in ContentEncryption.allCases where name.equals(encryption.rawValue) { return encryption }
        throw VerificationError(.unsupportedEncryption)
    }

    /// RFC 7516 section 4.1.13: no extension is understood here.
    private static func checkCritical(_ header: borrowing JSONValue) throws(VerificationError) {
        guard let list = header["crit"] else { return }
        var isList = list.isArray && list.count > 0
        list.forEachElement { isList = isList && $0.string != nil }
        throw VerificationError(isList ? .unsupportedCritical : .invalidHeader)
    }

    /// RFC 7519 section 5.2: a nested token has `cty: JWT`.
    private static func checkContentType(_ header: borrowing JSONValue, isNeeded: Bool) throws(VerificationError) {
        guard let type = try text(header, "cty") else {
            guard !isNeeded else { throw VerificationError(.typeMismatch) }
            return
        }
        let lower = type.lowercased()
        guard lower == "jwt" || lower == "application/jwt" else { throw VerificationError(.typeMismatch) }
    }

    private static func isCompressed(_ header: borrowing JSONValue) throws(VerificationError) -> Bool {
        guard let value = header["zip"] else { return false }
        guard value.string?.equals("DEF") ?? false else { throw VerificationError(.invalidHeader) }
        return true
    }

    private static func information(
        _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption, _ header: borrowing JSONValue
    ) throws(VerificationError) -> [UInt8] {
        // Of a key that is the CEK, the name is that of `enc`.
        let name = algorithm == .ecdhES ? encryption.rawValue : algorithm.rawValue
        let length = algorithm.wrappingKeyLength ?? encryption.keyLength
        return ConcatKDF.information(
            name: name, senderInfo: try bytes(header, "apu"), recipientInfo: try bytes(header, "apv"), keyBytes: length)
    }

    private static func bytes(_ header: borrowing JSONValue, _ name: String) throws(VerificationError) -> [UInt8] {
        guard let value = header[name] else { return [] }
        guard let text = value.string, !text.isEscaped, let bytes = try? Base64URL.bytes(text.raw) else {
            throw VerificationError(.invalidHeader)
        }
        return bytes
    }
}
