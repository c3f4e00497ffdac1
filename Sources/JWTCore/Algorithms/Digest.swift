internal import COpenSSL

/// A hash function of libcrypto.
package enum Digest: Sendable {
    case sha256, sha384, sha512
    /// SHAKE256 with 114 bytes of output, as Ed448 uses it.
    case shake256

    private var openssl: cossl_digest {
        switch self {
        case .sha256: COSSL_DIGEST_SHA256
        case .sha384: COSSL_DIGEST_SHA384
        case .sha512: COSSL_DIGEST_SHA512
        case .shake256: COSSL_DIGEST_SHAKE256_114
        }
    }

    /// The digest of `message`, as a new array.
    package func bytes(of message: Span<UInt8>) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: cossl_digest_length(openssl))
        // SAFETY: the output has the digest's length; the message is passed with its length.
        let isGood = unsafe message.withUnsafeBufferPointer { unsafe cossl_digest_bytes(&output, openssl, $0.baseAddress, $0.count) }
        // A digest fails only if memory is exhausted. An empty result equals no digest.
        return isGood == 1 ? output : []
    }
}

extension SignatureAlgorithm {
    /// The hash that `at_hash` and `c_hash` are made with (OIDC Core section 3.1.3.6): the algorithm's hash; for EdDSA the hash inside the
    /// curve's scheme. Nil where no specification defines one (ML-DSA).
    func tokenDigest(for key: Curve?) -> Digest? {
        switch row.digest {
        case COSSL_DIGEST_SHA256: .sha256
        case COSSL_DIGEST_SHA384: .sha384
        case COSSL_DIGEST_SHA512: .sha512
        case COSSL_DIGEST_SHAKE256_114: .shake256
        default: row.scheme == COSSL_SCHEME_EDDSA ? (key == .ed448 ? .shake256 : .sha512) : nil
        }
    }
}

extension Digest {
    /// The HMAC (RFC 2104) of `message` under `secret`, as a new array.
    package func authentication(of message: Span<UInt8>, secret: Span<UInt8>) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: cossl_digest_length(openssl))
        // SAFETY: the output has the digest's length; message and secret are passed with their lengths.
        let isGood = unsafe message.withUnsafeBufferPointer { message in
            unsafe secret.withUnsafeBufferPointer { secret in
                unsafe cossl_hmac_bytes(&output, openssl, secret.baseAddress, secret.count, message.baseAddress, message.count)
            }
        }
        return isGood == 1 ? output : []
    }
}

extension Span<UInt8> {
    /// Equality in a time that depends only on the lengths: for what a sender must not guess byte by byte.
    package func equalsInConstantTime(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        // SAFETY: both have `count` bytes.
        return unsafe withUnsafeBufferPointer { mine in
            unsafe other.withUnsafeBufferPointer { theirs in
                guard let mine = mine.baseAddress, let start = theirs.baseAddress else { return theirs.isEmpty }
                return unsafe cossl_equal_constant_time(mine, start, theirs.count) == 1
            }
        }
    }
}
