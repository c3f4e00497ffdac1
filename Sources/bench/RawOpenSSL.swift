import COpenSSL
import JWTCore

/// OpenSSL's bare operation over one prepared context, as `openssl speed` times it: EVP_PKEY_verify on a digest computed beforehand;
/// EVP_DigestVerify for EdDSA and EVP_MAC for HMAC, which take the message.
struct RawOpenSSL {
    private let context: Context
    private let inputs: ByteStrings
    private let signatures: ByteStrings

    init?(_ tokens: BenchTokens) {
        let row = tokens.algorithm.row
        guard let key = tokens.key.handle, let handle = unsafe key.makeRaw(row) else { return nil }
        context = unsafe Context(handle)
        let isWhole = row.scheme == COSSL_SCHEME_EDDSA || row.scheme == COSSL_SCHEME_HMAC
        inputs = ByteStrings(tokens.signed.map { isWhole ? $0.message : Self.digest(row.digest, $0.message) })
        signatures = ByteStrings(tokens.signed.map { row.scheme == COSSL_SCHEME_ECDSA ? Self.der($0.signature) : $0.signature })
    }

    func verifies(_ ordinal: Int) -> Bool { context.verifies(signatures[ordinal], inputs[ordinal]) }

    /// The context, prepared once for the key.
    @safe
    private final class Context {
        private let handle: OpaquePointer

        // SAFETY: `handle` comes from cossl_raw_new, only this object owns it, and it is freed here.
        init(_ handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe cossl_raw_free(handle) }

        func verifies(_ signature: Span<UInt8>, _ input: Span<UInt8>) -> Bool {
            unsafe signature.withUnsafeBufferPointer { signature in
                unsafe input.withUnsafeBufferPointer { input in
                    unsafe cossl_raw_verify(handle, signature.baseAddress, signature.count, input.baseAddress, input.count) == 1
                }
            }
        }
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
