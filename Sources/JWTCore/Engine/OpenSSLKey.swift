internal import COpenSSL

/// The only owner of a libcrypto key. Immutable, so threads share it freely.
@safe
package final class OpenSSLKey: @unchecked Sendable {
    private let handle: OpaquePointer

    // SAFETY: `handle` comes from cossl_key_new_…, never changes, and is freed only here.
    deinit { unsafe cossl_key_free(handle) }

    private init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    /// Makes a key through `make`; nil if libcrypto refuses the material.
    private convenience init?(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
        var handle: OpaquePointer?
        guard unsafe make(&handle) == 1, let handle = unsafe handle else { return nil }
        unsafe self.init(handle)
    }

    convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_rsa($0, modulus, modulus.count, exponent, exponent.count) }
    }

    convenience init?(curve: Curve, x: [UInt8], y: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_ec($0, curve.openssl, x, x.count, y, y.count) }
    }

    convenience init?(curve: Curve, raw: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_raw($0, curve.openssl, raw, raw.count) }
    }

    convenience init?(secret: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_oct($0, secret, secret.count) }
    }

    /// The key without ownership; the owner must outlive it.
    var borrowed: Borrowed { unsafe Borrowed(handle) }

    /// OpenSSL's bare operation with this key, for measurements. The caller frees it with cossl_raw_free.
    @unsafe
    package func makeRaw(_ row: SignatureAlgorithm.Row) -> OpaquePointer? {
        var raw: OpaquePointer?
        return unsafe cossl_raw_new(&raw, handle, row.scheme, row.digest) == 1 ? raw : nil
    }
}

extension OpenSSLKey {
    /// A libcrypto key that another object owns.
    @safe
    struct Borrowed: @unchecked Sendable {
        // SAFETY: ``KeySet`` retains the owners of all the keys it borrows, and a verification retains the set.
        private let handle: OpaquePointer

        fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

        /// Whether `signature` is valid for `message` under this key.
        func verifies(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
            unsafe message.withUnsafeBufferPointer { message in
                unsafe signature.withUnsafeBufferPointer { signature in
                    unsafe cossl_verify(
                        handle, row.scheme, row.digest, message.baseAddress, message.count, signature.baseAddress, signature.count) == 1
                }
            }
        }

        /// The same, always through EVP and with nothing prepared: the reference for every other path. Nil if libcrypto got no memory.
        func verifiesByReference(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> Bool? {
            let answer = unsafe message.withUnsafeBufferPointer { message in
                unsafe signature.withUnsafeBufferPointer { signature in
                    unsafe cossl_verify_reference(
                        handle, row.scheme, row.digest, message.baseAddress, message.count, signature.baseAddress, signature.count)
                }
            }
            return answer < 0 ? nil : answer == 1
        }
    }
}
