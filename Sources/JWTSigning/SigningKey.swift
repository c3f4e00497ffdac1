internal import COpenSSL
public import JWTCore

/// A private or shared key that signs tokens, and its algorithm.
///
/// For the reference server, metadata of a gateway, tests and measurements; no module that verifies tokens imports it. The private part leaves libcrypto only as
/// ``privateDocument``.
@safe
public final class SigningKey: @unchecked Sendable {
    public let algorithm: SignatureAlgorithm
    public let keyID: String?
    private let handle: OpaquePointer

    // SAFETY: `handle` is immutable in COpenSSL and freed only here.
    deinit { unsafe cossl_signing_key_free(handle) }

    private init?(
        _ algorithm: SignatureAlgorithm, _ keyID: String?, _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) {
        var handle: OpaquePointer?
        guard unsafe make(&handle) == 1, let handle = unsafe handle else { return nil }
        self.algorithm = algorithm
        self.keyID = keyID
        unsafe self.handle = handle
    }

    /// Makes a new key for `algorithm`; nil where libcrypto lacks it or the algorithm is an HMAC.
    ///
    /// - Parameter bits: the size of an RSA modulus.
    public static func generate(_ algorithm: SignatureAlgorithm, keyID: String? = nil, bits: Int = 2048) -> SigningKey? {
        guard !algorithm.isSymmetric else { return nil }
        let row = algorithm.row
        let group = row.curve?.openssl ?? COSSL_GROUP_NONE
        return unsafe SigningKey(algorithm, keyID) {
            unsafe cossl_signing_key_generate($0, row.type.openssl, group, UInt32(clamping: bits))
        }
    }

    /// Reads a private key from PEM or DER; nil for anything else.
    public static func importing(_ document: [UInt8], algorithm: SignatureAlgorithm, keyID: String? = nil) -> SigningKey? {
        unsafe SigningKey(algorithm, keyID) { unsafe cossl_signing_key_import($0, document, document.count) }
    }

    /// A shared secret for an HMAC; nil if it is empty.
    public static func secret(_ secret: [UInt8], algorithm: SignatureAlgorithm, keyID: String? = nil) -> SigningKey? {
        unsafe SigningKey(algorithm, keyID) { unsafe cossl_signing_key_from_secret($0, secret, secret.count) }
    }

    /// The JWS signature of `message`; nil if libcrypto refuses.
    public func signature(of message: [UInt8]) -> [UInt8]? {
        let row = algorithm.row
        var signature = [UInt8](repeating: 0, count: 5_000)
        var length = 0
        guard unsafe cossl_sign(&signature, &length, signature.count, handle, row.scheme, row.digest, message, message.count) == 1 else {
            return nil
        }
        return Array(signature.prefix(length))
    }

    /// The private key in PKCS#8 DER (RFC 5958), unencrypted, as ``importing(_:algorithm:keyID:)`` reads it; nil for a shared secret.
    ///
    /// Seal it at rest. The caller wipes it.
    public var privateDocument: [UInt8]? {
        var document: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard unsafe cossl_signing_key_document(&document, &length, handle) == 1 else { return nil }
        defer { unsafe cossl_document_free(document, length) }
        return unsafe Array(UnsafeBufferPointer(start: document, count: length))
    }

    /// The public key as a JWK; nil for a shared secret.
    public var publicJWK: String? {
        var parts = unsafe cossl_components()
        guard unsafe cossl_signing_key_public(&parts, handle) == 1 else { return nil }
        defer { unsafe cossl_components_free(&parts) }
        let first = unsafe Base64URL.text(UnsafeBufferPointer(start: parts.first, count: parts.first_len))
        let second = unsafe Base64URL.text(UnsafeBufferPointer(start: parts.second, count: parts.second_len))
        var members = unsafe algorithm.jwkMembers(Curve(parts.group), first, second)
        members.append(("alg", algorithm.name))
        members.append(("use", "sig"))
        if let keyID { members.append(("kid", keyID)) }
        return "{\(members.map { "\(JSONText.quoted($0)):\(JSONText.quoted($1))" }.joined(separator: ","))}"
    }
}

extension Base64URL {
    fileprivate static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: encode(bytes), as: UTF8.self) }
}

extension SignatureAlgorithm {
    /// The members of a public JWK for this algorithm's key type, from its components in base64url.
    fileprivate func jwkMembers(_ group: Curve?, _ first: String, _ second: String) -> [(String, String)] {
        let curve = group?.rawValue ?? ""
        return switch row.type {
        case .rsa: [("kty", "RSA"), ("n", first), ("e", second)]
        case .ec: [("kty", "EC"), ("crv", curve), ("x", first), ("y", second)]
        case .okp: [("kty", "OKP"), ("crv", curve), ("x", first)]
        case .oct: []
        case .akp: [("kty", "AKP"), ("pub", first)]
        }
    }
}
