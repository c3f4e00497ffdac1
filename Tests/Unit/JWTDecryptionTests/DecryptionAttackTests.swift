import AssayTesting
import COpenSSL
import JWTCore
import JWTDecryption
import Testing

/// Each attack on encrypted tokens, and the one error that it meets.
struct DecryptionAttackTests {
    /// Every byte of encrypted key, vector, ciphertext and tag counts.
    @Test(arguments: Nested.kinds, [ContentEncryption.a128GCM, .a128CBCHS256])
    func noBitMayChange(_ kind: Nested.Kind, _ encryption: ContentEncryption) throws {
        let recipient = try Nested.recipient(kind, encryption), verifier = try Nested.verifier([recipient.decryptionKey])
        let parts = Parts(try recipient.encrypted(Nested.token()))
        for part in 1...4 where !parts[part].isEmpty {
            for place in Set([0, parts[part].count / 2, parts[part].count - 1]) {
                let token = parts.changing(part) { $0[place] ^= 1 }
                #expect(Nested.verdict(token, verifier) == "decryption_failed", "part \(part), byte \(place)")
            }
        }
    }

    /// The tag covers the header as it was sent, even white space.
    @Test func theHeaderIsAuthenticated() throws {
        let recipient = try TestRecipient(.direct), parts = Parts(try recipient.encrypted(Nested.token()))
        let header = parts.headerText
        for changed in [header + " ", header.replacing("{", with: #"{"a":1,"#)] {
            #expect(try Nested.verdict(parts.header(changed), recipient) == "decryption_failed")
        }
    }

    @Test(arguments: [ContentEncryption.a256GCM, .a256CBCHS512])
    func aTagOrVectorOfAnotherLengthIsNone(_ encryption: ContentEncryption) throws {
        let recipient = try TestRecipient(.direct, encryption), parts = Parts(try recipient.encrypted(Nested.token()))
        for part in [2, 4] {
            #expect(try Nested.verdict(parts.changing(part) { $0.removeLast() }, recipient) == "malformed_token")
            #expect(try Nested.verdict(parts.changing(part) { $0.append(0) }, recipient) == "malformed_token")
            #expect(try Nested.verdict(parts.changing(part) { $0.removeAll() }, recipient) == "malformed_token")
        }
    }

    @Test(arguments: Nested.kinds)
    func aTruncatedTokenDoesNotOpen(_ kind: Nested.Kind) throws {
        let recipient = try Nested.recipient(kind, .a128CBCHS256), verifier = try Nested.verifier([recipient.decryptionKey])
        let parts = Parts(try recipient.encrypted(Nested.token()))
        for count in [0, 1, 15, 16, 17, parts[3].count - 16, parts[3].count - 1] {
            let token = parts.changing(3) { $0.removeLast($0.count - count) }
            #expect(Nested.verdict(token, verifier) == "decryption_failed", "\(count) bytes of ciphertext")
        }
        let key = parts[1]
        guard !key.isEmpty else { return }
        for count in [1, 8, 16, 23, key.count - 8, key.count - 1] {
            #expect(Nested.verdict(parts.changing(1) { $0.removeLast($0.count - count) }, verifier) == "decryption_failed")
        }
        #expect(Nested.verdict(parts.changing(1) { $0.removeAll() }, verifier) == "malformed_token")
    }

    @Test(arguments: Nested.kinds)
    func partsOfTwoTokensDoNotFit(_ kind: Nested.Kind) throws {
        let recipient = try Nested.recipient(kind), verifier = try Nested.verifier([recipient.decryptionKey])
        let first = Parts(try recipient.encrypted(Nested.token())), second = Parts(try recipient.encrypted(Nested.token(["sub": "john"])))
        for part in first.all.indices where first.all[part] != second.all[part] {
            var mixed = first
            mixed.all[part] = second.all[part]
            #expect(Nested.verdict(mixed.text, verifier) == "decryption_failed", "part \(part)")
        }
        var swapped = first
        swapped.all.swapAt(2, 3)
        #expect(["malformed_token", "decryption_failed"].contains(Nested.verdict(swapped.text, verifier)))
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "a.b.c.d.e.f", ".b.c.d.e", "....", ".....", String(repeating: ".", count: 20_000)])
    func otherNumbersOfPartsAreMalformed(token: String) throws {
        #expect(try Nested.verdict(token, TestRecipient(.direct)) == "malformed_token")
    }

    // The choice of the algorithm

    /// A public key is no secret: as one, it would open what an attacker encrypts with it.
    @Test(arguments: Nested.kinds.filter { $0.algorithm != .direct })
    func aPrivateKeyIsNeverASharedSecret(_ kind: Nested.Kind) throws {
        let recipient = try Nested.recipient(kind), attacker = try TestRecipient(.direct, keyID: recipient.keyID)
        #expect(try Nested.verdict(attacker.encrypted(Nested.token()), recipient) == "key_algorithm_mismatch")
        let parts = Parts(try recipient.encrypted(Nested.token()))
        let header = parts.headerText.replacing("\"\(kind.algorithm.name)\"", with: #""dir""#)
        #expect(try Nested.verdict(parts.header(header), recipient) == "key_algorithm_mismatch")
    }

    @Test func aKeyIsOnlyForItsOwnAlgorithm() throws {
        let recipient = try TestRecipient(.ecdhES), rsa = try Nested.recipient(Nested.Kind(.rsaOAEP256))
        for name in ["ECDH-ES+A128KW", "ECDH-ES+A256KW", "RSA-OAEP", "RSA-OAEP-256"] {
            let parts = Parts(try recipient.encrypted(Nested.token()))
            let token = parts.changing(1) { $0 = [UInt8](repeating: 0, count: 40) }
            let header = Parts(token).header(parts.headerText.replacing("\"ECDH-ES\"", with: "\"\(name)\""))
            #expect(try Nested.verdict(header, recipient) == "key_algorithm_mismatch")
        }
        let parts = Parts(try rsa.encrypted(Nested.token()))
        let other = parts.header(parts.headerText.replacing("RSA-OAEP-256", with: "RSA-OAEP"))
        #expect(try Nested.verdict(other, rsa) == "key_algorithm_mismatch")
    }

    /// A secret of 32 bytes fits two encryptions, and is for one.
    @Test func aSecretIsForOneEncryption() throws {
        let recipient = try TestRecipient(.direct, .a256GCM), parts = Parts(try recipient.encrypted(Nested.token()))
        let token = Parts(parts.changing(2) { $0 += [0, 0, 0, 0] }).header(parts.headerText.replacing("A256GCM", with: "A128CBC-HS256"))
        #expect(try Nested.verdict(token, recipient) == "key_algorithm_mismatch")
    }

    @Test(
        arguments: [
            ("RSA1_5", "unsupported_algorithm"), ("PBES2-HS256+A128KW", "unsupported_algorithm"), ("A256KW", "unsupported_algorithm"),
            ("A256GCMKW", "unsupported_algorithm"), ("HS256", "unsupported_algorithm"), ("none", "unsecured_token"),
            ("DIR", "unsupported_algorithm"), ("dir ", "unsupported_algorithm"),
        ])
    func otherAlgorithmsAreRefusedBeforeAnyKey(name: String, expected: String) throws {
        let recipient = try TestRecipient(.direct)
        let token = try recipient.encrypted(Nested.token(), header: ["alg": name, "p2c": 2_147_483_647, "p2s": "AAAAAAAA"])
        #expect(try Nested.verdict(token, recipient) == expected)
    }

    @Test(arguments: ["A192GCM", "A192CBC-HS384", "C20P", "a256gcm", ""])
    func otherEncryptionsAreRefused(name: String) throws {
        let recipient = try TestRecipient(.direct)
        #expect(try Nested.verdict(recipient.encrypted(Nested.token(), header: ["enc": name]), recipient) == "unsupported_encryption")
    }

    @Test func aDecryptorMayAllowFewerEncryptions() throws {
        let recipient = try TestRecipient(.ecdhES, .a128CBCHS256), token = try recipient.encrypted(Nested.token())
        let verifier = try Nested.verifier([recipient.decryptionKey], encryptions: [.a256GCM])
        #expect(Nested.verdict(token, verifier) == "encryption_not_allowed")
    }

    @Test(
        arguments: [
            (#"{"enc":"A256GCM","cty":"JWT"}"#, "missing_algorithm"), (#"{"alg":"dir","cty":"JWT"}"#, "invalid_header"),
            (#"{"alg":1,"enc":"A256GCM"}"#, "invalid_header"), (#"{"alg":"dir","enc":["A256GCM"]}"#, "invalid_header"),
            (#"{"alg":"dir","enc":"A256GCM","cty":"JWT","crit":["exp"],"exp":1}"#, "unsupported_critical"),
            (#"{"alg":"dir","enc":"A256GCM","cty":"JWT","crit":[]}"#, "invalid_header"),
            (#"{"alg":"dir","enc":"A256GCM","cty":"JWT","crit":"exp"}"#, "invalid_header"),
            (#"{"alg":"dir","enc":"A256GCM","cty":"JWT","kid":7}"#, "invalid_header"),
            (#"{"alg":"dir","enc":"A256GCM","cty":"JWT","zip":"GZIP"}"#, "invalid_header"),
            (#"{"alg":"dir","alg":"dir","enc":"A256GCM","cty":"JWT"}"#, "duplicate_member"),
            (#"{"alg":"ECDH-ES","enc":"A256GCM","cty":"JWT"}"#, "invalid_ephemeral_key"),
            (#"{"alg":"ECDH-ES","enc":"A256GCM","cty":"JWT","epk":"x"}"#, "invalid_ephemeral_key"),
            ("[]", "invalid_header"), ("{", "invalid_json"), ("\u{feff}{}", "invalid_json"),
        ])
    func theFormOfTheHeaderIsChecked(header: String, expected: String) throws {
        let recipient = try TestRecipient(.direct), parts = Parts(try recipient.encrypted(Nested.token()))
        #expect(try Nested.verdict(parts.header(header), recipient) == expected)
    }

    // The sender's key

    @Test(arguments: AgreementCurve.allCases)
    func aPointOffTheCurveIsRefused(_ curve: AgreementCurve) throws {
        let recipient = try TestRecipient(.ecdhES, curve: curve), parts = Parts(try recipient.encrypted(Nested.token()))
        let length = try #require([.p256: 32, .p384: 48, .p521: 66, .x25519: 32][curve])
        func verdict(_ x: [UInt8], _ y: [UInt8]?, curve name: String? = nil) throws -> String {
            let x = String(decoding: Base64URL.encode(x), as: UTF8.self)
            let y = y.map { #","y":"\#(String(decoding: Base64URL.encode($0), as: UTF8.self))""# } ?? ""
            let type = curve == .x25519 ? "OKP" : "EC"
            let epk = #"{"kty":"\#(type)","crv":"\#(name ?? curve.rawValue)","x":"\#(x)"\#(y)}"#
            let header = #"{"alg":"ECDH-ES","enc":"A256GCM","cty":"JWT","kid":"test-recipient","epk":\#(epk)}"#
            return try Nested.verdict(parts.header(header), recipient)
        }
        let zero = [UInt8](repeating: 0, count: length), one = [UInt8](repeating: 0, count: length - 1) + [1]
        let most = [UInt8](repeating: 0xff, count: length)
        if curve == .x25519 {
            // RFC 7748 section 6.1: points of small order give a secret of zeros. The highest bit does not count.
            for x in SmallOrder.points { #expect(try verdict(x, nil) == "invalid_ephemeral_key") }
            for x in SmallOrder.points { #expect(try verdict(x.dropLast() + [x[31] | 0x80], nil) == "invalid_ephemeral_key") }
            #expect(try verdict([1], nil) == "invalid_ephemeral_key")
        } else {
            for (x, y) in [(zero, zero), (one, one), (most, most), (zero, one), (one, zero)] {
                #expect(try verdict(x, y) == "invalid_ephemeral_key")
            }
            #expect(try verdict(one + [0], one) == "invalid_ephemeral_key")
            #expect(try verdict(one, nil) == "invalid_ephemeral_key")
            #expect(try verdict(one, one, curve: "secp256k1") == "invalid_ephemeral_key")
        }
    }

    /// The classic attack: a point of a weaker curve under the name of the strong one.
    @Test func aPointOfAnotherCurveIsRefused() throws {
        let recipient = try TestRecipient(.ecdhES, curve: .p256)
        for curve in [AgreementCurve.p384, .p521, .x25519] {
            let other = try TestRecipient(.ecdhES, curve: curve), token = try other.encrypted(Nested.token())
            #expect(try Nested.verdict(token, recipient) == "invalid_ephemeral_key")
            let parts = Parts(token)
            let renamed = parts.header(parts.headerText.replacing("\"\(curve.rawValue)\"", with: "\"P-256\"").replacing("OKP", with: "EC"))
            #expect(try Nested.verdict(renamed, recipient) == "invalid_ephemeral_key")
        }
    }

    // Bombs

    @Test func aCompressedTokenNeedsABound() throws {
        let recipient = try TestRecipient(.direct), inner = try Nested.token()
        let token = try recipient.encrypted(Deflate.stored(Array(inner.utf8)), header: ["zip": "DEF"])
        #expect(try Nested.verdict(token, recipient) == "compressed_token")
        var limits = DecryptionLimits()
        limits.inflatedBytes = inner.utf8.count
        #expect(Nested.verdict(token, try Nested.verifier([recipient.decryptionKey], limits: limits)) == "valid")
        limits.inflatedBytes = inner.utf8.count - 1
        #expect(Nested.verdict(token, try Nested.verifier([recipient.decryptionKey], limits: limits)) == "compressed_token")
    }

    /// 13 KB that stand for 2 MB.
    @Test func aBombOfCompressionStopsAtItsBound() throws {
        let recipient = try TestRecipient(.direct)
        let token = try recipient.encrypted(Deflate.zeros(2 << 20), header: ["zip": "DEF"])
        var limits = DecryptionLimits()
        limits.inflatedBytes = 16_384
        #expect(Nested.verdict(token, try Nested.verifier([recipient.decryptionKey], limits: limits)) == "compressed_token")
    }

    @Test func anythingButOneStreamIsNoContent() throws {
        let recipient = try TestRecipient(.direct), stored = Deflate.stored(Array(try Nested.token().utf8))
        var limits = DecryptionLimits()
        limits.inflatedBytes = 16_384
        for content in [stored + [0], Array(stored.dropLast()), [], Array(try Nested.token().utf8)] {
            let token = try recipient.encrypted(content, header: ["zip": "DEF"])
            #expect(Nested.verdict(token, try Nested.verifier([recipient.decryptionKey], limits: limits)) == "compressed_token")
        }
    }

    @Test func aLargeTokenIsRefusedByItsLengthAlone() throws {
        let recipient = try TestRecipient(.direct), parts = Parts(try recipient.encrypted(Nested.token()))
        let header = #"{"alg":"dir","enc":"A256GCM","cty":"JWT","x":"\#(String(repeating: "a", count: 2 << 20))"}"#
        #expect(try Nested.verdict(parts.header(header), recipient) == "token_too_large")
        let smaller = #"{"alg":"dir","enc":"A256GCM","cty":"JWT","x":"\#(String(repeating: "a", count: 4_097))"}"#
        #expect(try Nested.verdict(parts.header(smaller), recipient) == "token_too_large")
    }

    @Test(arguments: [KeyManagementAlgorithm.rsaOAEP256, .ecdhESA256KW])
    func anEnormousEncryptedKeyCostsNothing(_ algorithm: KeyManagementAlgorithm) throws {
        let recipient = try Nested.recipient(Nested.Kind(algorithm)), parts = Parts(try recipient.encrypted(Nested.token()))
        let token = parts.changing(1) { $0 = [UInt8](repeating: 1, count: 10_000) }
        #expect(try Nested.verdict(token, recipient) == "malformed_token")
    }

    @Test(arguments: [KeyManagementAlgorithm.direct, .ecdhES])
    func anEncryptedKeyWhereThereIsNoneIsMalformed(_ algorithm: KeyManagementAlgorithm) throws {
        let recipient = try TestRecipient(algorithm), parts = Parts(try recipient.encrypted(Nested.token()))
        #expect(try Nested.verdict(parts.changing(1) { $0 = [1] }, recipient) == "malformed_token")
    }

    /// RSA: a CEK of another length than `enc` has, which was encrypted correctly, is like one that was not.
    @Test func aKeyOfAnotherLengthHasNoErrorOfItsOwn() throws {
        let recipient = try Nested.recipient(Nested.Kind(.rsaOAEP256), .a256GCM), parts = Parts(try recipient.encrypted(Nested.token()))
        let other = parts.header(parts.headerText.replacing("A256GCM", with: "A128GCM"))
        #expect(try Nested.verdict(other, recipient) == "decryption_failed")
    }

    /// RSA: zero, one, the largest number and those beyond the modulus.
    @Test(arguments: [KeyManagementAlgorithm.rsaOAEP, .rsaOAEP256])
    func noSpecialCiphertextHasAnErrorOfItsOwn(_ algorithm: KeyManagementAlgorithm) throws {
        let recipient = try Nested.recipient(Nested.Kind(algorithm)), parts = Parts(try recipient.encrypted(Nested.token()))
        let members = try JSONTree(parsing: Array(recipient.privateJWK.utf8)).members ?? [:]
        guard case .string(let text) = members["n"] else { throw TestKeyError.encryption }
        let modulus = try Base64URL.bytes(text.utf8.span), zeros = [UInt8](repeating: 0, count: modulus.count - 1)
        let last = modulus[modulus.count - 1]
        for number in [zeros + [0], zeros + [1], modulus.dropLast() + [last - 1], modulus, [UInt8](repeating: 0xff, count: 256)] {
            #expect(try Nested.verdict(parts.changing(1) { $0 = number }, recipient) == "decryption_failed")
        }
    }

    @Test func nothingStaysOnTheErrorQueue() throws {
        let recipient = try Nested.recipient(Nested.Kind(.rsaOAEP256)), agreed = try TestRecipient(.ecdhES)
        let parts = Parts(try recipient.encrypted(Nested.token()))
        _ = try Nested.verdict(parts.changing(1) { $0[9] ^= 1 }, recipient)
        #expect(cossl_error_queue_is_empty() == 1)
        let other = Parts(try agreed.encrypted(Nested.token()))
        _ = try Nested.verdict(other.changing(4) { $0[0] ^= 1 }, agreed)
        _ = try Nested.verdict(other.header(other.headerText.replacing("\"x\":\"", with: "\"x\":\"A")), agreed)
        #expect((try? DecryptionKey(importing: Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).span)) == nil)
        #expect(cossl_error_queue_is_empty() == 1 && cossl_open_calls() == 0)
    }
}

/// The points of small order of curve25519 and of its twist, as numbers of 32 bytes, lowest byte first.
enum SmallOrder {
    static let points: [[UInt8]] = [
        number(0, 0, 0), number(1, 0, 0), number(0xec, 0xff, 0x7f), number(0xed, 0xff, 0x7f), number(0xee, 0xff, 0x7f),
        // The two of order eight.
        [
            0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb,
            0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
        ],
        [
            0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b, 0x04, 0x44, 0x5c, 0xc4,
            0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
        ],
    ]

    private static func number(_ lowest: UInt8, _ middle: UInt8, _ highest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: middle, count: 30) + [highest]
    }
}

/// Streams of DEFLATE (RFC 1951).
enum Deflate {
    /// Blocks without compression.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        return [1, UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8)] + bytes
    }

    /// One block with fixed codes: a zero, and matches of 258 bytes at distance 1, which have 13 bits each.
    static func zeros(_ count: Int) -> [UInt8] {
        var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        // The code of length 258 is 11000101, that of distance 1 is 00000.
        for _ in 0..<count / 258 { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [0, 0, 0, 0, 0, 0, 0]
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | $1.element << UInt8($1.offset) }
        }
    }
}
