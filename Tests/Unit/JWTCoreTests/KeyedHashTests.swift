import CJWTKernels
import Testing

struct KeyedHashTests {
    private static let secret = cjwt_hash_secret(
        words: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03))

    private func hash(_ bytes: ArraySlice<UInt8>, secret: cjwt_hash_secret = secret, tweak: UInt64 = 0) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer { unsafe cjwt_keyed_hash(secret, tweak, $0.baseAddress, $0.count) }
    }

    /// Every length up to more than two steps, every bit of each, and zeros after the end.
    @Test
    func everyBitCounts() {
        var seen: Set<UInt64> = [], count = 0
        var generator = SeededGenerator(seed: 7)
        for length in 0...150 {
            var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            seen.insert(hash(bytes[...]))
            count += 1
            for bit in 0..<(8 * length) {
                bytes[bit / 8] ^= 1 << (bit % 8)
                seen.insert(hash(bytes[...]))
                bytes[bit / 8] ^= 1 << (bit % 8)
                count += 1
            }
            for zeros in 1...3 { seen.insert(hash((bytes + Array(repeating: 0, count: zeros))[...])) }
            count += 3
        }
        #expect(seen.count == count)
    }

    @Test
    func theSecretAndTheTweakCount() {
        let bytes = Array("eyJhbGciOiJFUzI1NiJ9.e30.AAAA".utf8)[...]
        var hashes: Set<UInt64> = []
        for tweak in 0..<1_000 { hashes.insert(hash(bytes, tweak: UInt64(tweak))) }
        for bit in 0..<64 {
            var (a, b, c, d) = Self.secret.words
            (a, b, c, d) = [(a ^ 1 << UInt64(bit), b, c, d), (a, b ^ 1 << UInt64(bit), c, d)][bit % 2]
            hashes.insert(hash(bytes, secret: cjwt_hash_secret(words: (a, b, c, d))))
            hashes.insert(hash(bytes, secret: cjwt_hash_secret(words: (a, b, c ^ 1 << UInt64(bit), d))))
            hashes.insert(hash(bytes, secret: cjwt_hash_secret(words: (a, b, c, d ^ 1 << UInt64(bit)))))
        }
        #expect(hashes.count == 1_000 + 3 * 64)
    }

    @Test
    func theSameBytesHaveTheSameHashWhereverTheyAre() {
        var generator = SeededGenerator(seed: 8)
        let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for shift in 0..<64 {
            let moved = Array(repeating: 0xaa as UInt8, count: shift) + bytes + [0xbb]
            #expect(hash(moved[shift..<shift + 300]) == hash(bytes[...]))
        }
        for length in 0...200 {
            let moved = Array(repeating: 0xaa as UInt8, count: 200) + bytes[..<length] + Array(repeating: 0xbb as UInt8, count: 200)
            #expect(hash(moved[200..<200 + length]) == hash(bytes[..<length]))
        }
    }

    /// Changing any one bit changes half of the hash bits, within chance.
    @Test
    func oneBitChangesHalfOfThem() {
        var generator = SeededGenerator(seed: 9)
        var bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let first = hash(bytes[...])
        var changed = 0
        for bit in 0..<800 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            changed += (hash(bytes[...]) ^ first).nonzeroBitCount
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
        #expect((25_000...26_200).contains(changed))
    }
}
