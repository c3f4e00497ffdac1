import AssayTesting
import JWTCore
import JWTDecryption
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What holds a private key for a moment holds it once, and not longer.
struct SecretDocumentTests {
    @Test
    func aWipedArrayIsZero() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.wipe()
        #expect(bytes == [0, 0, 0])
        bytes = []
        bytes.wipe()
        #expect(bytes.isEmpty)
    }

    /// By a pipe, which gives less than is asked for.
    @Test(arguments: [(16, "0123456789"), (10, "0123456789"), (4, "0123"), (0, "")])
    func aSecretIsLentUpToItsLimit(limit: Int, expected: String) {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        #expect(DescriptorBytes.write("0123456789".utf8, to: ends[1]) == 0)
        close(ends[1])
        #expect(DescriptorBytes.lendSecret(ends[0], upTo: limit) { String(decoding: Array(copying: $0), as: UTF8.self) } == expected)
        close(ends[0])
        #expect(DescriptorBytes.lendSecret(-1, upTo: limit) { $0.count } == (limit == 0 ? 0 : nil))
    }

    /// Escapes are no other key, and strictness is that of tokens.
    @Test
    func aPrivateJWKIsReadStrictly() throws {
        let jwk = #"{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAA","alg":"A128GCM","kid":"a\u0062"}"#
        #expect(try DecryptionKey(jwk: jwk).keyID == "ab")
        #expect(try DecryptionKey(jwk: jwk.replacing("AAAAAA\"", with: "AAAAA\\u0041\"")).algorithms == [.direct])
        for (text, code) in [
            (jwk + "x", VerificationError.Code.invalidJSON), (jwk.dropLast() + #","kty":"oct"}"#, .duplicateMember),
            (#"{"kty":7}"#, .invalidKey), ("[]", .invalidKey), (jwk.dropLast() + #","key_ops":["sign"]}"#, .keyUseMismatch),
            (jwk.dropLast() + #","key_ops":"decrypt"}"#, .keyUseMismatch), (jwk.dropLast() + #","use":7}"#, .keyUseMismatch),
        ] {
            let error = #expect(throws: VerificationError.self) { try DecryptionKey(jwk: String(text)) }
            #expect(error?.code == code)
        }
    }
}
