package import COpenSSL
package import JWTCore

/// A private key in libcrypto. Immutable, so threads share it freely.
@safe
package final class RecipientKey: @unchecked Sendable {
    // SAFETY: `handle` comes from cossl_decryption_key_…, never changes, and is freed only here.
    package let handle: OpaquePointer

    /// Makes a key through `make`; nil if libcrypto refuses the material.
    package init?(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
        var handle: OpaquePointer?
        guard unsafe make(&handle) == 1, let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe cossl_decryption_key_free(handle) }

    package var recipient: cossl_recipient { unsafe cossl_decryption_key_recipient(handle) }

    /// The CEK of RSAES-OAEP, or a substitute that nobody knows. False where the ciphertext is not as long as the modulus.
    func decrypt(_ encryptedKey: [UInt8], usesSHA1: Bool, into key: inout SecretBuffer) -> Bool {
        let count = key.count
        return unsafe key.write { unsafe cossl_decrypt_cek($0, count, handle, usesSHA1 ? 1 : 0, encryptedKey, encryptedKey.count) == 1 }
    }

    /// The CEK that `wrappingKey` wraps, or a substitute that nobody knows. False where the lengths do not fit.
    func unwrap(_ encryptedKey: [UInt8], with wrappingKey: borrowing SecretBuffer, into key: inout SecretBuffer) -> Bool {
        guard encryptedKey.count == key.count + 8 else { return false }
        let length = wrappingKey.count
        return unsafe wrappingKey.read { wrapping in
            unsafe key.write { unsafe cossl_unwrap_cek($0, handle, wrapping, length, encryptedKey, encryptedKey.count) == 1 }
        }
    }

    /// Agrees with an ephemeral key and writes what RFC 7518 section 4.6.2 derives from the shared secret into `key`.
    ///
    /// - Parameter information: AlgorithmID, PartyUInfo, PartyVInfo and SuppPubInfo.
    /// - Throws: `invalid_ephemeral_key` for a point that is not on the curve, or of small order.
    package func agree(
        with ephemeral: EphemeralKey, _ information: [UInt8], into key: inout SecretBuffer
    ) throws(VerificationError) {
        // The shared secret with room for the counter before it.
        var shared = SecretBuffer(count: 4 + Int(COSSL_AGREED_MAX))
        var length = 0
        let isAgreed = unsafe shared.write {
            unsafe cossl_agree($0 + 4, &length, handle, ephemeral.x, ephemeral.x.count, ephemeral.y, ephemeral.y.count) == 1
        }
        guard isAgreed else { throw VerificationError(.invalidEphemeralKey) }
        var derived = 0, counter: UInt8 = 1
        while derived < key.count {
            unsafe shared.write { unsafe $0[3] = counter }
            Self.digest(of: shared, 4 + length, information, into: &key, at: derived)
            (derived, counter) = (derived + 32, counter + 1)
        }
    }

    private static func digest(
        of shared: borrowing SecretBuffer, _ length: Int, _ information: [UInt8], into key: inout SecretBuffer, at start: Int
    ) {
        var digest = SecretBuffer(count: 32)
        let isGood = unsafe shared.read { shared in
            unsafe digest.write {
                unsafe cossl_digest_secret($0, shared, length, information, information.count) == 1
            }
        }
        // A digest fails only when memory is exhausted; no caller may receive an invalid key.
        guard isGood else { fatalError("no memory for SHA-256") }
        let count = min(32, key.count - start)
        unsafe digest.read { digest in unsafe key.write { unsafe ($0 + start).update(from: digest, count: count) } }
    }
}
