internal import JWTCore
internal import JWTSigning

/// A client's certificate, signed by its own key, and what a token that is bound to it says (RFC 8705).
///
/// ```swift
/// let certificate = try TestCertificate(key: TestKey(.es256)), server = try TestKey(.es256)
/// let token = try server.token(claims: ["cnf": certificate.confirmation, "exp": 1_700_003_600])
/// ```
///
/// It is valid from 2020 on, without an end.
public struct TestCertificate: Sendable {
    public let key: TestKey
    /// The certificate in DER.
    public let der: [UInt8]

    /// Makes the certificate of a key.
    ///
    /// - Parameters:
    ///   - name: the common name of its subject and issuer.
    ///   - key: of ES256, ES384, ES512, EdDSA or RS256.
    /// - Throws: ``TestKeyError/unavailable(_:)`` for a key of another algorithm, ``TestKeyError/signing``.
    public init(name: String = "client", key: TestKey) throws(TestKeyError) {
        guard let info = key.publicDocument, let algorithm = Self.algorithm(key.algorithm) else { throw .unavailable(key.algorithm) }
        let subject = Self.name(name), serial = DER.unsigned([1] + TestKey.random(15))
        // Version 3.
        let version = DER.element(0xa0, DER.element(DER.integer, [2]))
        let contents = DER.element(DER.sequence, version + serial + algorithm + subject + Self.validity + subject + info)
        guard let signature = key.signing.signature(of: contents) else { throw .signing }
        let bits = DER.element(DER.bitString, [0] + Self.encoded(signature, key.algorithm))
        self.key = key
        der = DER.element(DER.sequence, contents + algorithm + bits)
    }

    /// The certificate in PEM.
    public var pem: String { PEM.text("CERTIFICATE", der) }

    /// Its private key in PEM (PKCS#8), for a client of TLS; nil if libcrypto does not write it.
    public var privateKeyPEM: String? { key.signing.privateDocument.map { PEM.text("PRIVATE KEY", $0) } }

    /// The SHA-256 digest of ``der`` in base64url.
    public var thumbprint: String { Base64URL.text(Digest.sha256.bytes(of: der.span)) }

    /// The claim `cnf` of a token that is bound to it.
    public var confirmation: [String: String] { ["x5t#S256": thumbprint] }
}

extension TestCertificate {
    /// The AlgorithmIdentifier of a signature (RFC 5758 section 3.2, RFC 8410 section 3, RFC 4055 section 5).
    private static func algorithm(_ algorithm: SignatureAlgorithm) -> [UInt8]? {
        let ecdsa: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03]
        let (identifier, parameters): ([UInt8], [UInt8])
        switch algorithm {
        case .es256: (identifier, parameters) = (ecdsa + [2], [])
        case .es384: (identifier, parameters) = (ecdsa + [3], [])
        case .es512: (identifier, parameters) = (ecdsa + [4], [])
        case .edDSA, .ed25519: (identifier, parameters) = ([0x2b, 0x65, 0x70], [])
        case .rs256: (identifier, parameters) = ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b], DER.null)
        default: return nil
        }
        return DER.element(DER.sequence, DER.element(DER.objectIdentifier, identifier) + parameters)
    }

    /// A JWS has the two numbers of ECDSA side by side, and a certificate has them as INTEGERs.
    private static func encoded(_ signature: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8] {
        guard [.es256, .es384, .es512].contains(algorithm) else { return signature }
        let half = signature.count / 2
        return DER.element(DER.sequence, DER.unsigned(Array(signature[..<half])) + DER.unsigned(Array(signature[half...])))
    }

    /// A Name with a commonName as UTF8String.
    private static func name(_ text: String) -> [UInt8] {
        let attribute = DER.element(DER.objectIdentifier, [0x55, 0x04, 0x03]) + DER.element(0x0c, Array(text.utf8))
        return DER.element(DER.sequence, DER.element(0x31, DER.element(DER.sequence, attribute)))
    }

    /// RFC 5280 section 4.1.2.5: a UTCTime until 2049, and a GeneralizedTime for no end.
    private static var validity: [UInt8] {
        DER.element(DER.sequence, DER.element(0x17, Array("200101000000Z".utf8)) + DER.element(0x18, Array("99991231235959Z".utf8)))
    }
}
