internal import CJWTKernels
internal import COpenSSL

extension SignatureBatch {
    // SAFETY, of all below: each lane has 64 bytes for its hash, the length of the longest digest, and 64 for its prefix.

    /// Hashes each message: the hash of `lane` begins at byte 64 * lane.
    func digest(_ group: InlineArray<8, Int>, _ count: Int, into hashes: inout InlineArray<512, UInt8>) -> Bool {
        var messages = unsafe InlineArray<8, cjwt_message>(repeating: cjwt_message())
        for lane in 0..<count {
            let message = unsafe pending[group[lane]].message
            unsafe messages[lane] = cjwt_message(prefix: nil, prefix_len: 0, bytes: message.baseAddress, len: message.count)
        }
        return unsafe digest(messages, count, pending[group[0]].algorithm.row.digest, into: &hashes)
    }

    /// RFC 8032 section 5.1.7: R and the public key come before the message.
    func digestEd25519(_ group: InlineArray<8, Int>, _ count: Int, into hashes: inout InlineArray<512, UInt8>) -> Bool {
        var prefixes = InlineArray<512, UInt8>(repeating: 0)
        var span = prefixes.mutableSpan
        return unsafe span.withUnsafeMutableBufferPointer { prefixes in
            guard let start = prefixes.baseAddress else { return false }
            var messages = unsafe InlineArray<8, cjwt_message>(repeating: cjwt_message())
            for lane in 0..<count {
                let entry = unsafe pending[group[lane]]
                guard let signature = unsafe entry.signature.baseAddress else { return false }
                let prefix = unsafe start + 64 * lane
                unsafe prefix.update(from: signature, count: 32)
                unsafe UnsafeMutableRawPointer(prefix + 32).copyMemory(from: entry.table.publicKey, byteCount: 32)
                unsafe messages[lane] = cjwt_message(
                    prefix: prefix, prefix_len: 64, bytes: entry.message.baseAddress, len: entry.message.count)
            }
            return unsafe digest(messages, count, COSSL_DIGEST_SHA512, into: &hashes)
        }
    }

    private func digest(
        _ messages: InlineArray<8, cjwt_message>, _ count: Int, _ digest: cossl_digest, into hashes: inout InlineArray<512, UInt8>
    ) -> Bool {
        var span = hashes.mutableSpan
        return unsafe span.withUnsafeMutableBufferPointer { hashes in
            unsafe messages.span.withUnsafeBufferPointer { messages in
                guard let out = hashes.baseAddress else { return false }
                if Engine.isActive(.sha2), unsafe cjwt_sha2_lanes(out, cossl_digest_length(digest), messages.baseAddress, count) == 1 {
                    return true
                }
                for lane in 0..<count {
                    let message = unsafe messages[lane]
                    guard
                        unsafe cossl_digest_pieces(
                            out + 64 * lane, digest, message.prefix, message.prefix_len, message.bytes, message.len) == 1
                    else { return false }
                }
                return true
            }
        }
    }
}
