import Gateway
import JWTCore
import Testing

/// How each gateway writes a certificate: what is read, and what is not.
struct CertificateFormTests {
    private static let client = SampleCertificate.client, other = SampleCertificate.other

    /// `client`, or the code of the refusal.
    private static func verdict(_ form: CertificateForm, _ bytes: [UInt8]) -> String {
        do throws(VerificationError) {
            let thumbprint = try form.thumbprint(of: bytes.span)
            return thumbprint.description == client.thumbprint ? "client" : "another"
        } catch {
            return error.code.name
        }
    }

    private static func verdict(_ form: CertificateForm, _ text: String) -> String { verdict(form, Array(text.utf8)) }

    private static let malformed = "malformed_certificate", tooLarge = "certificate_too_large"
    private static let base64 = client.base64, escaped = client.escaped

    private static let escapes: [(String, String)] = [
        (escaped, "client"), (String(escaped.dropLast(3)), "client"), (other.escaped, "another"), ("x", malformed), ("%", malformed),
        (String(escaped.dropLast(1)), malformed), (String(escaped.dropLast(10)), malformed), (String(escaped.dropFirst(1)), malformed),
        (escaped + escaped, malformed), (escaped + other.escaped, malformed), (escaped + "%0A", malformed), (escaped + "x", malformed),
        ("%0A" + escaped, malformed), (client.pem, malformed), (escaped.replacing("%2B", with: "+"), malformed),
        (escaped.replacing("%2F", with: "/"), malformed), (escaped.replacing("%0A", with: "%0a"), malformed),
        (escaped.replacing("%20", with: "+"), malformed), (escaped.replacing("%0A", with: "%0D%0A"), malformed),
        (escaped.replacing("%0A", with: ""), malformed), (escaped.replacing("%0A", with: "%"), malformed),
        (escaped.replacing("%20", with: "%09"), malformed), (escaped.replacing("CERTIFICATE", with: "PUBLIC%20KEY"), malformed),
        (escaped.replacing("CERTIFICATE", with: "TRUSTED%20CERTIFICATE"), malformed),
        (SampleCertificate.escaped(SampleCertificate.pem(client.lines(of: 76))), malformed),
        (SampleCertificate.escaped(SampleCertificate.pem([base64])), malformed),
        (SampleCertificate.escaped(SampleCertificate.pem([])), malformed),
        (SampleCertificate.escaped(SampleCertificate.pem(["", base64])), malformed), (base64, malformed),
    ]

    @Test(arguments: escapes)
    func escapedPEM(text: String, verdict: String) { #expect(Self.verdict(.pemEscaped, text) == verdict) }

    private static let extended = Base64.text(client.der + [0]), shortened = Base64.text(client.der.dropLast(1))
    /// The outer object has an indefinite length: BER, and not DER.
    private static let endless = Base64.text([0x30, 0x80] + client.der.dropFirst(4) + [0, 0])

    private static let base64Texts: [(String, String)] = [
        (base64, "client"), (other.base64, "another"), (String(base64.dropLast(1)), malformed), (String(base64.dropLast(4)), malformed),
        (base64 + "=", malformed), (base64 + "====", malformed), (base64 + "\n", malformed), (" " + base64, malformed),
        (base64 + "," + base64, malformed), (base64 + base64, malformed), (base64 + other.base64, malformed), (extended, malformed),
        (shortened, malformed), (endless, malformed), (base64.replacing("+", with: "-"), malformed),
        (base64.replacing("/", with: "_"), malformed),
        (base64.replacing("+", with: " "), malformed), ("=", malformed), ("====", malformed), ("A===", malformed), ("AAAA", malformed),
        (other.base64.replacing("hA==", with: "hB=="), malformed), (escaped, malformed),
    ]

    @Test(arguments: base64Texts)
    func base64OfDER(text: String, verdict: String) { #expect(Self.verdict(.derBase64, text) == verdict) }

    @Test(arguments: base64Texts)
    func betweenColons(text: String, verdict: String) { #expect(Self.verdict(.rfc9440, ":\(text):") == verdict) }

    @Test(arguments: [
        base64, ":" + base64, base64 + ":", "::", ":", ":\(base64):;a", ":\(base64): ", " :\(base64):", ":\(base64):, :\(base64):",
        "\"\(base64)\"", ":\(base64)::",
    ])
    func whatIsNoByteSequenceIsMalformed(text: String) { #expect(Self.verdict(.rfc9440, text) == Self.malformed) }

    private static let hash = "Hash=\(client.digest)", cert = "Cert=\"\(escaped)\""

    private static let forwarded: [(String, String)] = [
        (hash, "client"), ("hash=\(client.digest.uppercased())", "client"), ("Hash=\"\(client.digest)\"", "client"),
        ("By=spiffe://a;\(hash);\(cert);Subject=\"CN=a,O=\\\"b;c\\\"\";URI=spiffe://b;DNS=a;DNS=b", "client"),
        ("\(hash);Subject=\"\"", "client"),
        ("\(hash);URI=", "client"), ("Hash=\(other.digest)", "another"), ("Hash=\(other.digest);\(cert)", malformed), (cert, malformed),
        ("Subject=\"CN=a\"", malformed), ("\(hash);\(hash)", malformed), ("\(hash);HASH=\(other.digest)", malformed),
        ("\(hash);\(cert);\(cert)", malformed), ("Hash=\(other.digest),\(hash)", malformed), ("\(hash),Hash=\(other.digest)", malformed),
        ("\(hash),", malformed), (",\(hash)", malformed), ("\(hash);", malformed), (";\(hash)", malformed), ("\(hash); By=a", malformed),
        (hash + "0", malformed), (String(hash.dropLast(1)), malformed), (String(hash.dropLast(1)) + "g", malformed), ("Hash=", malformed),
        ("Hash", malformed), ("=a;\(hash)", malformed), ("\(hash);Subject=\"CN=a", malformed), ("\(hash);Subject=\"CN=a\"b", malformed),
        ("\(hash);Subject=\"CN=a\\", malformed), ("\(hash);URI=a\"b", malformed),
        ("\(hash);URI=spiffe://a;Hash=\(other.digest)", malformed),
        ("\(hash);URI=spiffe://a;\(cert.replacing(escaped, with: other.escaped))", malformed), ("\(hash);Cert=x", malformed),
        (Array(repeating: "DNS=a", count: 64).joined(separator: ";") + ";\(hash)", malformed), (escaped, malformed),
    ]

    @Test(arguments: forwarded)
    func fieldOfEnvoy(text: String, verdict: String) { #expect(Self.verdict(.xfcc, text) == verdict) }

    private static let documents: [([UInt8], String)] = [
        (client.der, "client"), (other.der, "another"), (client.der + [0] as [UInt8], malformed),
        (client.der + client.der as [UInt8], malformed), ([UInt8](client.der.dropLast(1)), malformed), ([0x30, 0] as [UInt8], malformed),
        ([UInt8](client.pem.utf8), malformed), ([0x30, 0x82, 0xff, 0xff] + client.der as [UInt8], malformed),
        ([UInt8](repeating: 0x30, count: 16_385), tooLarge),
    ]

    @Test(arguments: documents)
    func bytesOfDER(der: [UInt8], verdict: String) { #expect(Self.verdict(.der, der) == verdict) }

    private static let digests: [(String, String)] = [
        (client.digest, "client"), (other.digest, "another"), (String(client.digest.dropLast(1)), malformed),
        (client.digest + "0", malformed), (String(client.digest.dropLast(2)) + "0x", malformed), (client.thumbprint, malformed),
    ]

    @Test(arguments: digests)
    func digestOfAHost(text: String, verdict: String) { #expect(Self.verdict(.digest, text) == verdict) }

    @Test(arguments: CertificateForm.allCases)
    func aHugeTextIsRefusedBeforeItIsRead(form: CertificateForm) {
        #expect(Self.verdict(form, String(repeating: "A", count: 65_537)) == Self.tooLarge)
    }

    @Test(arguments: [CertificateForm.derBase64, .rfc9440])
    func aHugeCertificateIsRefused(form: CertificateForm) {
        let text = Base64.text([UInt8](repeating: 0x30, count: 16_386))
        #expect(Self.verdict(form, form == .rfc9440 ? ":\(text):" : text) == Self.tooLarge)
    }
}
