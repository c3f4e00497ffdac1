internal import Secrets
internal import Testing

struct AuthenticationTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256OfFIPS1804sExamples(message: String, digest: String) {
        #expect(Digest256.of(message.utf8).hexadecimal == digest)
        #expect(Digest256.of(Array(message.utf8)).hexadecimal == digest)
    }

    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    /// RFC 4231 sections 4.2 to 4.8, without the truncated one.
    static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            key: Array(0x01...0x19), message: [UInt8](repeating: 0xcd, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131), message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    ]

    @Test(arguments: vectors)
    func hmacSHA256OfRFC4231(vector: Vector) { #expect(AuthenticationKey(vector.key).code(for: vector.message).hexadecimal == vector.code) }

    @Test
    func anEmptyKeyAndAnEmptyMessageHaveACode() {
        #expect(
            AuthenticationKey([]).code(for: []).hexadecimal == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test
    func equalIsWhatHasTheSameBytes() {
        let code = AuthenticationKey([1]).code(for: [2])
        #expect(equalInConstantTime(code, code) && equalInConstantTime([], []))
        #expect(!equalInConstantTime(code, []) && !equalInConstantTime(code, Array(code.dropLast())))
        for index in code.indices {
            var other = code
            other[index] ^= 0x80
            #expect(!equalInConstantTime(code, other))
        }
    }

    @Test
    func wipingEmptiesTheBytes() {
        var secret = [UInt8](repeating: 7, count: 64)
        wipe(&secret)
        #expect(secret.isEmpty)
    }
}
