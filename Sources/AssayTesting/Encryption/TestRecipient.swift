internal import COpenSSL
internal import JWTCore
public import JWTDecryption

/// A recipient of encrypted tokens for tests: its private key or shared secret, with which it also encrypts.
///
/// ```swift
/// let recipient = try TestRecipient(.ecdhES)
/// let token = try recipient.encrypted(issuer.idToken())
/// let decryptor = Decryptor(keys: [try recipient.decryptionKey])
/// ```
///
/// For tests alone: the private part can be read as ``privateJWK``, and nothing wipes it.
public struct TestRecipient: Sendable {
    public let algorithm: KeyManagementAlgorithm
    /// The encryption of its tokens; of `dir` the only one that its secret is for.
    public let encryption: ContentEncryption
    /// The `kid` of its tokens and its JWK; nil leaves it out.
    public let keyID: String?
    let material: Material

    enum Material: Sendable {
        case recipient(RecipientKey, AgreementCurve?)
        case secret([UInt8])
    }

    /// Makes a new key.
    ///
    /// - Parameters:
    ///   - algorithm: its only algorithm.
    ///   - encryption: the encryption of its tokens.
    ///   - curve: the curve of an algorithm that agrees on a key.
    ///   - keyID: its `kid`.
    ///   - bits: the size of an RSA modulus, 2,048 to 8,192.
    /// - Throws: ``TestKeyError/encryption`` if libcrypto makes no such key.
    public init(
        _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption = .a256GCM, curve: AgreementCurve = .p256,
        keyID: String? = "test-recipient", bits: Int = 2_048
    ) throws(TestKeyError) {
        self.algorithm = algorithm
        self.encryption = encryption
        self.keyID = keyID
        if algorithm == .direct {
            material = .secret(TestKey.random(encryption.keyLength))
        } else {
            let isRSA = KeyManagementAlgorithm.rsa.contains(algorithm)
            guard let key = RecipientKey.generate(isRSA ? COSSL_RECIPIENT_RSA : curve.openssl, bits: bits) else { throw .encryption }
            material = .recipient(key, isRSA ? nil : curve)
        }
    }

    /// The public key as a JWK (RFC 7517 section 4), with `alg`, `use` and `kid`, as a client registers it; nil for a shared secret.
    public var publicJWK: String? {
        guard case .recipient(let key, let curve) = material else { return nil }
        return jwk(key, curve, ["n", "e", "x", "y"])
    }

    /// The private key or the shared secret as a JWK. Of a shared secret, `alg` is its encryption.
    public var privateJWK: String {
        switch material {
        case .recipient(let key, let curve): jwk(key, curve, RecipientKey.memberNames)
        case .secret(let secret):
            Self.text([("kty", "oct"), ("k", Base64URL.text(secret)), ("alg", encryption.name), ("kid", keyID), ("use", "enc")])
        }
    }

    /// The key for a decryptor.
    ///
    /// - Throws: what `DecryptionKey` refuses in the key.
    public var decryptionKey: DecryptionKey {
        get throws(VerificationError) { try DecryptionKey(jwk: privateJWK) }
    }

    private func jwk(_ key: RecipientKey, _ curve: AgreementCurve?, _ names: [String]) -> String {
        let members = names.map { ($0, key.member($0).map { Base64URL.text($0) }) }
        let type = [("kty", curve?.typeName ?? "RSA"), ("crv", curve?.rawValue)]
        return Self.text(type + members + [("alg", algorithm.name), ("kid", keyID), ("use", "enc")])
    }

    private static func text(_ members: [(String, String?)]) -> String {
        let present = members.compactMap { name, value in value.map { (name, JSONTree.string($0)) } }
        return String(decoding: JSONTree.object(Dictionary(uniqueKeysWithValues: present)).json, as: UTF8.self)
    }
}

extension TestRecipient: CustomStringConvertible, CustomReflectable {
    /// The algorithms and the `kid`, without any part of the key.
    public var description: String { "\(algorithm.name) recipient for tests, \(encryption.name)\(keyID.map { ", kid \($0)" } ?? "")" }

    /// Without the key, which `dump` would show.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm.name, "keyID": keyID as Any]) }
}
