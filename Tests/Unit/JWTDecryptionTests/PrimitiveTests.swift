import COpenSSL
import JWTCore
import JWTDecryption
import Testing

/// The examples of the specifications.
struct PrimitiveTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// RFC 7518 appendix C: ECDH-ES with A128GCM, apu Alice and apv Bob.
    @Test func theAgreedKeyIsThatOfRFC7518() throws {
        let bob = """
            {"kty":"EC","crv":"P-256","x":"weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ","y":"e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck",
            "d":"VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"}
            """
        let x = try Base64URL.bytes("gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0".utf8.span)
        let y = try Base64URL.bytes("SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps".utf8.span)
        let key = try #require(RecipientKey(jwk: bob))
        let information = ConcatKDF.information(
            name: "A128GCM", senderInfo: Array("Alice".utf8), recipientInfo: Array("Bob".utf8), keyBytes: 16)
        var derived = SecretBuffer(count: 16)
        try key.agree(with: EphemeralKey(.p256, x: x, y: y), information, into: &derived)
        let bytes = unsafe derived.read { unsafe Array(UnsafeBufferPointer(start: $0, count: 16)) }
        #expect(String(decoding: Base64URL.encode(bytes), as: UTF8.self) == "VqqN6vgjbSBcIijNcacQGg")
    }

    /// RFC 7516 appendix A.1; RFC 7520 sections 5.2, 5.4, 5.5 and 5.6. None is nested.
    @Test(arguments: EncryptedExample.all)
    func theExamplesOfTheSpecificationsOpen(example: EncryptedExample) throws {
        let decryptor = Decryptor(keys: [try DecryptionKey(jwk: example.key)])
        let content = try decryptor.content(of: example.token.utf8.span, needsContentType: false)
        #expect(String(decoding: content, as: UTF8.self) == example.content)
    }

    /// RFC 7748 section 6.1, which RFC 8037 appendix A.6 cites.
    @Test func theSecretOfX25519IsThatOfRFC7748() throws {
        let alice = Self.bytes("302e020100300506032b656e04220420 77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = Self.bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let key = try #require(unsafe RecipientKey { unsafe cossl_decryption_key_import($0, alice, alice.count) })
        var secret = [UInt8](repeating: 0, count: Int(COSSL_AGREED_MAX)), length = 0
        #expect(unsafe cossl_agree(&secret, &length, key.handle, bob, bob.count, nil, 0) == 1)
        #expect(Array(secret.prefix(length)) == Self.bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    }

    /// RFC 3394 sections 4.1 and 4.6.
    @Test(
        arguments: [
            (
                "000102030405060708090A0B0C0D0E0F", "00112233445566778899AABBCCDDEEFF",
                "1FA68B0A8112B447 AEF34BD8FB5A7B82 9D3E862371D2CFE5"
            ),
            (
                "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
                "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
                "28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326 CBC7F0E71A99F43B FB988B9B7A02DD21"
            ),
        ])
    func keyWrapIsThatOfRFC3394(key: String, cek: String, wrapped: String) throws {
        let key = Self.bytes(key), cek = Self.bytes(cek)
        var out = [UInt8](repeating: 0, count: cek.count + 8)
        #expect(unsafe cossl_wrap_cek(&out, key, key.count, cek, cek.count) == 1)
        #expect(out == Self.bytes(wrapped))
        var handle: OpaquePointer?
        #expect(unsafe cossl_decryption_key_generate(&handle, COSSL_RECIPIENT_X25519, 0) == 1)
        defer { unsafe cossl_decryption_key_free(handle) }
        var back = [UInt8](repeating: 0, count: cek.count)
        #expect(unsafe cossl_unwrap_cek(&back, handle, key, key.count, out, out.count) == 1)
        #expect(back == cek)
        out[0] ^= 1
        #expect(unsafe cossl_unwrap_cek(&back, handle, key, key.count, out, out.count) == 1)
        #expect(back != cek && back != [UInt8](repeating: 0, count: cek.count))
        #expect(unsafe cossl_unwrap_cek(&back, handle, key, key.count, out, out.count - 1) == 0)
    }

    /// RFC 7518 appendices B.1 and B.3.
    @Test(
        arguments: [
            (COSSL_CONTENT_A128CBC_HS256, 32, "65 2c 3f a3 6b 0a 7c 5b 32 19 fa b3 a3 0b c1 c4"),
            (
                COSSL_CONTENT_A256CBC_HS512, 64,
                "4d d3 b4 c0 88 a7 f4 5c 21 68 39 64 5b 20 12 bf 2e 62 69 a8 c5 6a 81 6d bc 1b 26 77 61 95 5b c5"
            ),
        ])
    func authenticatedEncryptionIsThatOfRFC7518(content: cossl_content, keyBytes: Int, tag: String) {
        let key = (0..<keyBytes).map { UInt8($0) }, nonce = Self.bytes("1af38c2dc2b96ffdd86694092341bc04")
        let text = Array(
            ("A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy "
                + "without inconvenience").utf8)
        let context = Array("The second principle of Auguste Kerckhoffs".utf8)
        var sealed = [UInt8](repeating: 0, count: text.count + 16), made = [UInt8](repeating: 0, count: keyBytes / 2), length = 0
        let isSealed = unsafe key.withUnsafeBufferPointer { key in
            unsafe nonce.withUnsafeBufferPointer { nonce in
                unsafe text.withUnsafeBufferPointer { text in
                    unsafe context.withUnsafeBufferPointer { context in
                        var input = unsafe cossl_content_input(
                            content: content, key: key.baseAddress, nonce: nonce.baseAddress, in: text.baseAddress, in_len: text.count,
                            context: context.baseAddress, context_len: context.count)
                        return unsafe cossl_content_seal(&sealed, &length, &made, &input)
                    }
                }
            }
        }
        #expect(isSealed == 1 && length == 144)
        #expect(made == Self.bytes(tag))
    }
}
