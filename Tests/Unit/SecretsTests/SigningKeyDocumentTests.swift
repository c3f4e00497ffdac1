internal import Foundation
internal import JWTCore
internal import JWTSigning
internal import Secrets
internal import Testing

struct SigningKeyDocumentTests {
    @Test(arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .edDSA])
    func aSigningKeyComesBackFromItsDocument(algorithm: SignatureAlgorithm) throws {
        let key = try #require(SigningKey.generate(algorithm, keyID: "k"))
        let document = try #require(key.privateDocument)
        let again = try #require(SigningKey.importing(document, algorithm: algorithm, keyID: "k"))
        #expect(again.publicJWK == key.publicJWK)
    }

    @Test
    func aSharedSecretHasNone() { #expect(SigningKey.secret([1, 2, 3], algorithm: .hs256)?.privateDocument == nil) }

    private static func pem(_ document: [UInt8], _ label: String = "PRIVATE KEY") -> String {
        "-----BEGIN \(label)-----\n\(Data(document).base64EncodedString())\n-----END \(label)-----\n"
    }

    private static func reads(_ document: [UInt8]) -> Bool { SigningKey.importing(document, algorithm: .edDSA) != nil }

    /// Of two keys, one would be ignored. What has no secret may stand beside the key.
    @Test
    func aDocumentHasOnePrivateKey() throws {
        let der = try #require(SigningKey.generate(.edDSA)?.privateDocument), pem = Self.pem(der)
        for text in [pem, "a note\n\(pem)", pem.replacingOccurrences(of: "\n", with: "\r\n"), Self.pem([4, 0], "EC PARAMETERS") + pem] {
            #expect(Self.reads(Array(text.utf8)), "\(text.prefix(12))")
        }
        for text in [
            pem + pem, pem + "-----BEGIN PRIVATE KEY-----\n", pem + Self.pem([1], "ENCRYPTED PRIVATE KEY"),
            Self.pem([1], "RSA PRIVATE KEY") + pem, pem + "\n  " + pem, "",
        ] {
            #expect(!Self.reads(Array(text.utf8)), "\(text.prefix(12))")
        }
        for other in [der + [0], der + der, Array(der.dropLast()), []] { #expect(!Self.reads(other)) }
    }

    /// libcrypto reads a passphrase from the terminal, or without one from the standard input, so a server would wait for ever.
    @Test
    func nobodyIsAskedForAPassphrase() async {
        await #expect(processExitsWith: .success) {
            var ends: [CInt] = [0, 0]
            guard setsid() > 0, unsafe pipe(&ends) == 0, unsafe write(ends[1], "abcd\n", 5) == 5, dup2(ends[0], 0) == 0 else { exit(2) }
            exit(SigningKey.importing(Array(Self.encrypted.utf8), algorithm: .edDSA) == nil ? 0 : 1)
        }
    }

    /// Its passphrase is `abcd`.
    private static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGaMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAiBY3obq1kkQgIBZDAM
        BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQZx3V3nZRdE4B/ordOglDQARABvEW
        rTi+ECCTTsF6QQ5ccwKUskherj3xiv+fpTV5D2HlOO4UA5t9vNZKXFdwcsAJtwbj
        vRvIsfncXyrRwLoLjw==
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
