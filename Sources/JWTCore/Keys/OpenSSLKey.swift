internal import COpenSSL

/// The one owner of a libcrypto key. Immutable, and so shared freely between threads.
@safe
package final class OpenSSLKey: @unchecked Sendable {
    private let handle: OpaquePointer

    // SAFETY: `handle` comes from cossl_key_new_…, is never changed, and is freed here alone.
    deinit { unsafe cossl_key_free(handle) }

    private init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    /// Makes a key through `make`; nil where libcrypto refuses the material.
    private convenience init?(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
        var handle: OpaquePointer?
        guard unsafe make(&handle) == 1, let handle = unsafe handle else { return nil }
        unsafe self.init(handle)
    }

    convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_rsa($0, modulus, modulus.count, exponent, exponent.count) }
    }

    convenience init?(group: KeyGroup, x: [UInt8], y: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_ec($0, group.openssl, x, x.count, y, y.count) }
    }

    convenience init?(group: KeyGroup, raw: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_raw($0, group.openssl, raw, raw.count) }
    }

    convenience init?(secret: [UInt8]) {
        unsafe self.init { unsafe cossl_key_new_oct($0, secret, secret.count) }
    }

    /// The key without its owner, which must outlive it.
    var borrowed: Borrowed { unsafe Borrowed(handle) }

    /// OpenSSL's bare operation with this key, for measurements. The caller frees it with cossl_raw_free.
    @unsafe
    package func makeRaw(_ row: SignatureAlgorithm.Row) -> OpaquePointer? {
        var raw: OpaquePointer?
        return unsafe cossl_raw_new(&raw, handle, row.scheme, row.digest) == 1 ? raw : nil
    }
}

extension OpenSSLKey {
    /// A key whose owner somebody else keeps.
    @safe
    struct Borrowed: @unchecked Sendable {
        // SAFETY: ``KeySet`` keeps the owners of all the keys it borrows, and a verification keeps the set.
        private let handle: OpaquePointer

        fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

        /// Whether `signature` is this key's for `message`.
        func verifies(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
            unsafe message.withUnsafeBufferPointer { message in
                unsafe signature.withUnsafeBufferPointer { signature in
                    unsafe cossl_verify(
                        handle, row.scheme, row.digest, message.baseAddress, message.count, signature.baseAddress, signature.count) == 1
                }
            }
        }

        /// The same, always through EVP and with nothing prepared: what every other way is held against.
        func verifiesByReference(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
            unsafe message.withUnsafeBufferPointer { message in
                unsafe signature.withUnsafeBufferPointer { signature in
                    unsafe cossl_verify_reference(
                        handle, row.scheme, row.digest, message.baseAddress, message.count, signature.baseAddress, signature.count) == 1
                }
            }
        }
    }
}
