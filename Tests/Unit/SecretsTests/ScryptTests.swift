import Secrets
import Testing

@Suite struct ScryptTests {
    /// RFC 7914 section 12, the first 32 of 64 bytes: PBKDF2's first block does not depend on the length asked for.
    static let vectors: [(String, String, Int, Int, Int, String)] = [
        ("", "", 4, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        ("password", "NaCl", 10, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
        ("pleaseletmein", "SodiumChloride", 14, 8, 1, "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"),
    ]

    @Test(arguments: vectors)
    func theRFCsVectorsHold(_ password: String, salt: String, cost: Int, block: Int, parallel: Int, key: String) throws {
        let scrypt = try #require(Scrypt(logCost: cost, blockSize: block, parallelism: parallel))
        let derived = try #require(scrypt.key(password: Array(password.utf8), salt: Array(salt.utf8)))
        let digits = derived.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digits == key)
    }

    @Test(arguments: [(0, 8, 1), (21, 8, 1), (15, 0, 1), (15, 33, 1), (15, 8, 0), (15, 8, 17), (20, 32, 1)])
    func parametersThatNeedTooMuchAreRefused(_ cost: Int, block: Int, parallel: Int) {
        #expect(Scrypt(logCost: cost, blockSize: block, parallelism: parallel) == nil)
    }

    @Test func aPasswordNeeds32MiB() { #expect((32 << 20..<33 << 20).contains(Scrypt.password.memory)) }
}
