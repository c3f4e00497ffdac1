import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Of two keys in one text, each reader would take another one, so a document has one.
struct PEMBlockTests {
    private static let ec = PublicKeyDocument.ec.pem + "\n", rsa = PublicKeyDocument.rsa.pem + "\n"
    private static let leaf = PublicKeyDocument.leaf.pem + "\n", intermediate = PublicKeyDocument.intermediate.pem + "\n"
    private static let root = PublicKeyDocument.root.pem + "\n"
    private static let several = """
        invalid_key: the document has several PEM blocks: give it one key, or one certificate with its issuers; a JWK Set has several keys
        """

    @Test(arguments: [
        ec + rsa, ec + ec, rsa + leaf, leaf + rsa, ec + PublicKeyDocument.secp256k1.pem,
        ec + PublicKeyDocument.pem("CERTIFICATE REQUEST", [1, 2, 3]), PublicKeyDocument.pem("X509 CRL", [1, 2, 3]) + ec,
        // What one reader passes over, another one reads: cut, indented, quoted, behind a zero byte.
        ec + "-----BEGIN PUBLIC KEY-----\n", ec + "-----BEGIN ", "-----BEGIN PUBLIC KEY-----\n" + ec,
        ec + rsa.replacingOccurrences(of: "\n", with: "\n  "),
        "# -----BEGIN PUBLIC KEY-----\n" + ec, ec + "\0\n" + rsa, ec.replacingOccurrences(of: "\n", with: "\r") + rsa,
        // No label of a block.
        "\(ec)\(rsa)PRIVATE KEY-----\n",
    ])
    func ofSeveralBlocksNoneIsRead(document: String) {
        #expect(Self.refusal(document) == Self.several)
        #expect(verdict { _ = try KeySet(document: document) } == "invalid_key")
    }

    /// Each of them once looked for the end of its line: a minute for a mebibyte.
    @Test
    func blocksOnOneLineAreCountedInOnePass() {
        #expect(Self.refusal(String(repeating: "-----BEGIN ", count: 95_000)) == Self.several)
    }

    @Test(arguments: [leaf, leaf + intermediate, leaf + intermediate + root, "subject=CN = l\n\(leaf)\nsubject=CN = m\n\(intermediate)"])
    func aCertificateMayHaveItsIssuersBehindIt(document: String) throws {
        let thumbprint = try VerificationKey(pem: Self.leaf).thumbprint
        for form in [document, document.replacingOccurrences(of: "\n", with: "\r\n")] {
            #expect(try VerificationKey(pem: form).thumbprint == thumbprint)
        }
    }

    /// Two certificates of one issuer while it changes its key have the same names, so a signature tells them from a chain.
    @Test(arguments: [
        leaf + root, intermediate + leaf, root + intermediate, leaf + leaf, leaf + intermediate + intermediate, leaf + intermediate + leaf,
        leaf + intermediate + ec, leaf + intermediate + PublicKeyDocument.pem("CERTIFICATE", [0x30, 0]),
        PublicKeyDocument.rsaCertificate.pem + "\n" + PublicKeyDocument.ecCertificate.pem,
    ])
    func otherCertificatesAreNoIssuers(document: String) { #expect(Self.refusal(document) == Self.several) }

    @Test
    func aChainHasTenCertificates() {
        let nine = Self.leaf + Self.intermediate + String(repeating: Self.root, count: 7)
        #expect(Self.refusal(nine + Self.root) == "accepted")
        #expect(Self.refusal(nine + Self.root + Self.root) == Self.several)
    }

    /// A certificate's subject may have chosen its texts. Other readers of DER never look for PEM in them.
    @Test
    func textInACertificateIsNoBlock() throws {
        let certificate = PublicKeyDocument.certificateWithPEM, expected = try VerificationKey(pem: Self.leaf)
        #expect(String(decoding: certificate.der, as: UTF8.self).contains("\n-----BEGIN PUBLIC KEY-----\n"))
        for key in [try VerificationKey(pem: certificate.pem), try VerificationKey(importing: certificate.der)] {
            #expect(key.type?.rawValue == "EC")
            #expect(key.thumbprint == expected.thumbprint)
        }
        for other in [certificate.der + [0x0a], Array(certificate.der.dropLast()), [0x30, 0x80, 0x0a] + Array(Self.ec.utf8)] {
            #expect(verdict { _ = try VerificationKey(importing: other) } == "invalid_key")
        }
    }

    @Test(arguments: [ec, rsa, leaf])
    func aPrivateKeyBesideAPublicOneIsCalledSo(document: String) {
        let secret = PublicKeyDocument.pem("PRIVATE KEY", Array("a secret".utf8))
        let far = document + String(repeating: "\n", count: 5_000) + secret
        for document in [document + secret, secret + document, far, document + "-----BEGIN RSA PRIVATE KEY-----"] {
            #expect(Self.refusal(document) == "invalid_key: the document has a private key; a verifier takes its public key")
        }
    }

    /// As editors and `openssl -text` write it, and as C programs measure their texts.
    @Test(arguments: [
        "Public-Key: (256 bit)\npub:\n    04:68:92\n\(ec)", "\n\n\(ec)", "\(ec)\0", "\(PublicKeyDocument.ec.pem)\0",
        PublicKeyDocument.ec.pem, "\u{feff}\(ec)", "0 is the first byte\n\(ec)", "0\u{7f}\n\(ec)",
        "\(ec)a note\n",
    ])
    func textAroundABlockIsIgnored(document: String) throws {
        #expect(try VerificationKey(pem: document).thumbprint == VerificationKey(pem: Self.ec).thumbprint)
    }

    @Test
    func aByteOrderMarkIsCalledOne() {
        #expect(Self.refusal("\u{feff}{}") == "invalid_key: the document begins with a byte order mark; store it without")
    }

    private static func refusal(_ document: String) -> String {
        do { _ = try VerificationKey(pem: document) } catch { return "\(error)" }
        return "accepted"
    }
}
