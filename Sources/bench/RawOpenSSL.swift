import COpenSSL
import JWTCore

/// OpenSSL's bare operation over one prepared context, as `openssl speed` times it: EVP_PKEY_verify on a digest computed beforehand;
/// EVP_DigestVerify for EdDSA and EVP_MAC for HMAC, which take the message.
@safe
final class RawOpenSSL {
    private let handle: OpaquePointer
    private let inputs: [(tbs: [UInt8], signature: [UInt8])]

    // SAFETY: `handle` comes from cossl_raw_new and is freed here alone.
    deinit { unsafe cossl_raw_free(handle) }

    init?(_ tokens: BenchTokens) {
        let row = tokens.algorithm.row
        guard let key = tokens.key.handle, let handle = unsafe key.makeRaw(row) else { return nil }
        unsafe self.handle = handle
        inputs = tokens.signed.map { message, signature in
            let isWhole = row.scheme == COSSL_SCHEME_EDDSA || row.scheme == COSSL_SCHEME_HMAC
            let tbs = isWhole ? message : Self.digest(row.digest, message)
            return (tbs, row.scheme == COSSL_SCHEME_ECDSA ? Self.der(signature) : signature)
        }
    }

    func verifies(_ ordinal: Int) -> Bool {
        let input = inputs[ordinal % inputs.count]
        return unsafe cossl_raw_verify(handle, input.signature, input.signature.count, input.tbs, input.tbs.count) == 1
    }

    private static func digest(_ digest: cossl_digest, _ message: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: cossl_digest_length(digest))
        _ = unsafe cossl_digest_bytes(&output, digest, message, message.count)
        return output
    }

    private static func der(_ signature: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: 144)
        var length = 0
        _ = unsafe cossl_ecdsa_to_der(&output, &length, signature, signature.count)
        return Array(output.prefix(length))
    }
}
