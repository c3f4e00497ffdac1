import AssayTesting
import JWTCore
import JWTDecryption
import Testing

/// Keys come from the operator, and each is for what it says.
struct DecryptionKeyTests {
    private static func code(_ jwk: String) -> String {
        do throws(VerificationError) {
            _ = try DecryptionKey(jwk: jwk)
            return "usable"
        } catch {
            return error.code.name
        }
    }

    @Test(arguments: Nested.kinds)
    func aPrivateJWKIsAKey(_ kind: Nested.Kind) throws {
        let recipient = try Nested.recipient(kind), key = try recipient.decryptionKey
        #expect(key.keyID == "test-recipient" && key.algorithms == [kind.algorithm])
        #expect("\(key)" == "DecryptionKey(\(kind.algorithm.name))")
        #expect(!"\(Mirror(reflecting: key).children.map { "\($0)" })".contains("\""))
    }

    @Test func aPublicJWKIsNone() throws {
        let jwk = try #require(try TestRecipient(.ecdhES).publicJWK)
        #expect(!jwk.contains("\"d\""))
        #expect(Self.code(jwk) == "invalid_key")
        #expect(try TestRecipient(.direct).publicJWK == nil)
    }

    @Test(arguments: Nested.kinds.filter { $0.algorithm != .direct })
    func thePartsOfTwoKeysAreNone(_ kind: Nested.Kind) throws {
        let own = try JSONTree(parsing: Array(Nested.recipient(kind).privateJWK.utf8)).members ?? [:]
        let isRSA = kind.algorithm.name.hasPrefix("RSA")
        let other = try TestRecipient(kind.algorithm, curve: kind.curve)
        let others = try JSONTree(parsing: Array(other.privateJWK.utf8)).members ?? [:]
        for name in isRSA ? ["n", "p", "q", "dp"] : ["d", "x"] {
            var mixed = own
            mixed[name] = others[name]
            #expect(Self.code(String(decoding: JSONTree.object(mixed).json, as: UTF8.self)) == "invalid_key", "\(name)")
        }
    }

    @Test func useAndOperationsMustAllowDecryption() throws {
        let jwk = try TestRecipient(.ecdhES).privateJWK
        #expect(Self.code(jwk.replacing(#""use":"enc""#, with: #""use":"sig""#)) == "key_use_mismatch")
        #expect(Self.code(jwk.replacing(#""use":"enc""#, with: #""key_ops":["sign"]"#)) == "key_use_mismatch")
        #expect(Self.code(jwk.replacing(#""use":"enc""#, with: #""key_ops":["deriveKey"]"#)) == "usable")
        #expect(Self.code(jwk.replacing(#","use":"enc""#, with: "")) == "usable")
        #expect(Self.code(jwk.replacing("ECDH-ES", with: "RSA-OAEP")) == "key_algorithm_mismatch")
        #expect(Self.code(jwk.replacing("ECDH-ES", with: "RSA1_5")) == "key_algorithm_mismatch")
        #expect(Self.code(jwk.replacing("P-256", with: "secp256k1")) == "invalid_key")
    }

    @Test(
        arguments: [
            (16, nil, "usable"), (16, "A128GCM", "usable"), (32, nil, "key_algorithm_mismatch"), (32, "dir", "key_algorithm_mismatch"),
            (32, "A256GCM", "usable"), (32, "A128CBC-HS256", "usable"), (64, "dir", "usable"), (64, "A256CBC-HS512", "usable"),
            (15, nil, "weak_key"), (24, nil, "invalid_key"), (32, "A128GCM", "invalid_key"), (16, "A256GCM", "weak_key"),
            (32, "A256KW", "key_algorithm_mismatch"), (32, "HS256", "key_algorithm_mismatch"),
        ] as [(Int, String?, String)])
    func aSecretHasTheLengthOfItsEncryption(bytes: Int, algorithm: String?, expected: String) {
        let k = String(decoding: Base64URL.encode([UInt8](repeating: 7, count: bytes)), as: UTF8.self)
        let alg = algorithm.map { #","alg":"\#($0)""# } ?? ""
        #expect(Self.code(#"{"kty":"oct","k":"\#(k)"\#(alg)}"#) == expected)
    }

    @Test func aDocumentMayHaveSeveralKeys() throws {
        let recipients = try [TestRecipient(.ecdhES, keyID: "a"), TestRecipient(.direct, keyID: "b")]
        let document = #"{"keys":[\#(recipients.map(\.privateJWK).joined(separator: ","))]}"#
        let keys = try DecryptionKey.keys(in: Array(document.utf8))
        #expect(keys.map(\.keyID) == ["a", "b"])
        let verifier = try Nested.verifier(keys)
        for recipient in recipients { #expect(Nested.verdict(try recipient.encrypted(Nested.token()), verifier) == "valid") }
    }

    /// As `openssl genpkey` writes them.
    @Test(arguments: [
        """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq
        -----END PRIVATE KEY-----

        """
    ])
    func pemIsRead(pem: String) throws {
        let key = try DecryptionKey(importing: pem.utf8.span, keyID: "pem")
        #expect(key.algorithms == [.ecdhES, .ecdhESA128KW, .ecdhESA256KW])
        let narrow = try DecryptionKey(importing: pem.utf8.span, algorithms: [.ecdhES])
        #expect(narrow.algorithms == [.ecdhES] && narrow.keyID == nil)
        #expect { try DecryptionKey(importing: pem.utf8.span, algorithms: [.rsaOAEP]) } throws: {
            ($0 as? VerificationError)?.code == .keyAlgorithmMismatch
        }
    }

    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq
        -----END PRIVATE KEY-----

        """

    /// Of two keys, one would be ignored.
    @Test func aDocumentOfPEMOrDERHasOneKey() throws {
        let pem = Self.pem
        let der = try Base64URL.bytes("MC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC-H68CZKrF3-6UduSwq".utf8.span)
        for document in [Array(pem.utf8), Array("a note\n\(pem)".utf8), der] {
            #expect(try DecryptionKey.keys(in: document).count == 1)
        }
        let cut = pem + "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
        for document in [
            Array((pem + pem).utf8), Array(cut.utf8), der + der, der + [0], Array(der.dropLast()), Array(pem.utf8.dropLast(40)),
        ] {
            #expect { try DecryptionKey.keys(in: document) } throws: { ($0 as? VerificationError)?.code == .invalidKey }
        }
    }

    /// Nobody is asked for the passphrase.
    @Test func anEncryptedKeyIsNone() {
        let pem = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjC3OPoBeiavAICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECmYnD+kyeYbWTyT0kW8xKkEQNQg
            wABbZFipN7N1ssExpfz1mrPYSvWPJflHPNtLlqRTFcLjTQZsMbN19kfm7t5o36RR
            DREiXhU6Ex0OGQvYvnQ=
            -----END ENCRYPTED PRIVATE KEY-----
            """
        #expect { try DecryptionKey(importing: pem.utf8.span) } throws: { ($0 as? VerificationError)?.code == .invalidKey }
    }

    /// With the exponent one, the encrypted key is the key.
    @Test func anExponentThatEncryptsNothingIsRefused() throws {
        var members = try JSONTree(parsing: Array(Nested.recipient(Nested.Kind(.rsaOAEP)).privateJWK.utf8)).members ?? [:]
        for name in ["e", "d", "dp", "dq"] { members[name] = .string("AQ") }
        #expect(Self.code(String(decoding: JSONTree.object(members).json, as: UTF8.self)) == "invalid_key")
    }

    // Which key

    @Test func aTokenNamesItsKey() throws {
        let old = try TestRecipient(.ecdhES, keyID: "old"), new = try TestRecipient(.ecdhES, keyID: "new")
        let token = try old.encrypted(Nested.token())
        #expect(try Nested.verdict(token, old, new) == "valid")
        #expect(try Nested.verdict(token, new) == "unknown_decryption_key")
        let renamed = try old.encrypted(Nested.token(), header: ["kid": "new"])
        #expect(try Nested.verdict(renamed, old, new) == "decryption_failed")
    }

    @Test func aTokenWithoutANameTriesAFewKeys() throws {
        let recipients = try (0..<5).map { try TestRecipient(.ecdhES, keyID: "\($0)") }
        let token = try recipients[3].encrypted(Nested.token(), header: ["kid": nil])
        let keys = try recipients.map { try $0.decryptionKey }
        #expect(Nested.verdict(token, try Nested.verifier(Array(keys[..<4]))) == "valid")
        #expect(Nested.verdict(token, try Nested.verifier(keys)) == "ambiguous_decryption_key")
        #expect(Nested.verdict(token, try Nested.verifier(Array(keys[..<3]))) == "decryption_failed")
        #expect(Nested.verdict(token, try Nested.verifier([])) == "unknown_decryption_key")
    }
}
