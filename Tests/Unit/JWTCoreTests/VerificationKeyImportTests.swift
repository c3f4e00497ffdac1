import Foundation
import JWTCore
import JWTTestSupport
import Testing

struct VerificationKeyImportTests {
    @Test(
        arguments: [
            (.rsa, "RSA", 2_048, "ahTtBdj5yRZU9_EhFm6VbuTdEzbzDCf3x4uEL17uDkM"),
            (.rsaPKCS1, "RSA", 2_048, "ahTtBdj5yRZU9_EhFm6VbuTdEzbzDCf3x4uEL17uDkM"),
            (.rsaCertificate, "RSA", 2_048, "ahTtBdj5yRZU9_EhFm6VbuTdEzbzDCf3x4uEL17uDkM"),
            (.ec, "EC", 256, "OHGQ6qXt7ZdhKvbgUylInvDTu4SgeEcvyXNSmjDhrCg"),
            (.ecCertificate, "EC", 256, "OHGQ6qXt7ZdhKvbgUylInvDTu4SgeEcvyXNSmjDhrCg"),
            (.ed25519, "OKP", 256, "z_Bqw-KHOhTEcUiCt72iRynlbLVHOPkeI9gtSgbauSA"),
        ] as [(PublicKeyDocument, String, Int, String)])
    func publicKeysAreReadFromPEMAndFromItsDER(document: PublicKeyDocument, kind: String, bits: Int, thumbprint: String) throws {
        let pem = document.pem, der = document.der
        let crlf = pem.replacingOccurrences(of: "\n", with: "\r\n")
        for key in [
            try VerificationKey(pem: pem), try VerificationKey(importing: der.span),
            try VerificationKey(pem: "Subject: somebody\n\n" + pem),
            try VerificationKey(pem: crlf),
        ] {
            #expect(key.type?.rawValue == kind)
            #expect(key.bits == bits)
            #expect(key.thumbprint == thumbprint)
            #expect(key.unusableReason == nil)
            #expect(key.keyID == nil)
        }
    }

    @Test(
        arguments: [
            (.rsa, ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]), (.ec, ["ES256"]),
            (.secp256k1, ["ES256K"]), (.ed25519, ["EdDSA", "Ed25519"]),
        ] as [(PublicKeyDocument, [String])])
    func importedKeysServeTheAlgorithmsOfTheirTypeUnlessBoundToOne(document: PublicKeyDocument, names: [String]) throws {
        let pem = document.pem
        #expect(try VerificationKey(pem: pem).algorithms.algorithms.map(\.name) == names)
        for algorithm in SignatureAlgorithm.all {
            let expected = names.contains(algorithm.name) ? "valid" : "key_algorithm_mismatch"
            #expect(verdict { _ = try VerificationKey(pem: pem, algorithm: algorithm) } == expected)
        }
        let bound = try VerificationKey(pem: pem, keyID: "k", algorithm: SignatureAlgorithm(name: names[0]))
        #expect(bound.algorithms.algorithms.map(\.name) == [names[0]])
        #expect(bound.keyID == "k")
    }

    @Test(arguments: [
        (PublicKeyDocument.rsa1024.pem, "weak_key"), (PublicKeyDocument.x25519.pem, "invalid_key"),
        (PublicKeyDocument.p224.pem, "invalid_key"), ("", "invalid_key"), ("garbage", "invalid_key"),
        ("-----BEGIN PUBLIC KEY-----\n", "invalid_key"), ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", "invalid_key"),
        ("-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----\n", "invalid_key"),
        ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ== me@here", "invalid_key"), (#"{"kty":"RSA"}"#, "invalid_key"),
        (String(repeating: "A", count: 2 << 20), "invalid_key"),
    ])
    func otherDocumentsAreRefused(document: String, expected: String) {
        #expect(importing(Array(document.utf8)) == expected)
    }

    /// 65537 becomes zero, in PKCS#1.
    @Test
    func anRSAKeyNeedsAnExponent() {
        let der = PublicKeyDocument.rsaPKCS1.der
        #expect(importing([0x30, 0x82, 0x01, 0x08] + der[4...].dropLast(5) + [0x02, 0x01, 0x00]) == "invalid_key")
    }

    @Test(arguments: ["RSA PUBLIC KEY", "CERTIFICATE", "PRIVATE KEY", "EC PUBLIC KEY", "CERTIFICATE REQUEST", "public key"])
    func theLabelOfAPEMBlockMustFitItsContent(label: String) {
        #expect(importing(Array(PublicKeyDocument.pem(label, PublicKeyDocument.ec.der).utf8)) == "invalid_key")
    }

    @Test(arguments: [.rsa, .rsaPKCS1, .rsaCertificate, .ec, .ecCertificate, .ed25519] as [PublicKeyDocument])
    func cutOrLengthenedDERIsRefused(document: PublicKeyDocument) {
        let der = document.der
        let accepted = der.indices.filter { importing(Array(der.prefix($0))) == "valid" }
        #expect(accepted.isEmpty)
        #expect(importing(der + [0]) == "invalid_key")
        #expect(importing(der + der) == "invalid_key")
    }

    // Not real private keys: only their formats, with a modulus of invented factors and a scalar of one repeated byte.

    private static let privateDocuments: [(String, [UInt8])] = {
        let modulus = Array(PublicKeyDocument.rsaPKCS1.der.dropFirst(8).dropLast(5))
        let madeUp = (0..<6).map { _ in DER.integer([0x03]) }
        let rsa = DER.sequence([DER.integer([0]), DER.integer(modulus), DER.integer([1, 0, 1])] + madeUp)
        let rsaIdentifier = DER.sequence([[0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01], [0x05, 0x00]])
        let scalar = DER.element(0x04, Array(repeating: 0x5a, count: 32))
        let p256: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        return [
            ("RSA PRIVATE KEY", rsa),
            ("PRIVATE KEY", DER.sequence([DER.integer([0]), rsaIdentifier, DER.element(0x04, rsa)])),
            ("EC PRIVATE KEY", DER.sequence([DER.integer([1]), scalar, DER.element(0xa0, p256)])),
            ("PRIVATE KEY", DER.sequence([DER.integer([0]), DER.sequence([[0x06, 0x03, 0x2b, 0x65, 0x70]]), DER.element(0x04, scalar)])),
        ]
    }()

    @Test(arguments: privateDocuments)
    func privateKeysAreRefused(label: String, der: [UInt8]) {
        #expect(importing(der) == "invalid_key")
        #expect(importing(Array(PublicKeyDocument.pem(label, der).utf8)) == "invalid_key")
        #expect(importing(Array(PublicKeyDocument.pem("PUBLIC KEY", der).utf8)) == "invalid_key")
    }

    // Secrets (CVE-2016-10555 and similar: a public key's document never becomes an HMAC key)

    @Test(arguments: [.rsa, .ec, .ed25519, .rsaCertificate] as [PublicKeyDocument])
    func noSpellingOfAPublicKeyBecomesASecret(publicKey: PublicKeyDocument) throws {
        let pem = publicKey.pem
        let crlf = pem.replacingOccurrences(of: "\n", with: "\r\n")
        for document in [pem, " " + pem, "\u{feff}" + pem, pem + "\n", crlf, "\n\n" + pem, pem.lowercased()] {
            guard let key = try? VerificationKey(pem: document) else { continue }
            #expect(key.type != .oct)
            #expect(key.algorithms.intersection(.symmetric).isEmpty)
            let set = KeySet(key)
            for algorithm in [SignatureAlgorithm.hs256, .hs384, .hs512] {
                var policy = ClaimsPolicy.lenient
                policy.algorithms = [algorithm]
                let token = try #require(hmacToken(algorithm, secret: Array(document.utf8)))
                #expect(TokenVerifier(keys: set, policy: policy).verdict(token) == "key_algorithm_mismatch")
                #expect(TokenVerifier(keys: set, policy: .lenient).verdict(token) == "algorithm_not_allowed")
                #expect(TokenVerifier(keys: set, policy: ClaimsPolicy()).verdict(token) == "algorithm_not_allowed")
            }
        }
    }

    @Test(arguments: [
        (0, "weak_key"), (1, "weak_key"), (31, "weak_key"), (32, "valid"), (64, "valid"), (1_024, "valid"), (1_025, "invalid_key"),
    ])
    func secretsAreOf32To1024Bytes(length: Int, expected: String) {
        #expect(verdict { _ = try VerificationKey(secret: Array(repeating: 7, count: length)) } == expected)
    }

    @Test
    func secretsServeHMACAlone() {
        for algorithm in SignatureAlgorithm.all {
            let expected = algorithm.isSymmetric ? "valid" : "key_algorithm_mismatch"
            let secret = [UInt8](repeating: 7, count: 64)
            #expect(verdict { _ = try VerificationKey(secret: secret, algorithm: algorithm) } == expected)
        }
    }

    @Test
    func thumbprintOfRFC7638Section3_1() throws {
        let modulus = """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W\
            -5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08q\
            NLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
            """
        let set = TokenForge.keySet([#"{"kty":"RSA","n":"\#(modulus)","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#])
        #expect(set.keys[0].thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(set.keys[0].unusableReason == nil)
    }

    private func importing(_ document: [UInt8]) -> String {
        verdict { _ = try VerificationKey(importing: document.span) }
    }
}
