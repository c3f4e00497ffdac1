internal import JWTCore

/// The field `x-forwarded-client-cert` of Envoy: elements with commas between them, pairs of key and value with semicolons between them. A
/// value with one of these has quotation marks around it, in which a backslash stands before the next character.
///
/// There is one element: that of the connection to this Envoy, which replaces what a client sends (`SANITIZE_SET`). Where Envoy appends
/// (`APPEND_FORWARD`), all elements but the last are words of the client, and the last is the certificate of a proxy where there is one. So
/// several are refused.
///
/// Envoy always writes `Hash`, and writes the names of a certificate without quotation marks (`URI`). A name could therefore look like more
/// pairs. A second `Hash` is refused, and `Cert` has to be the certificate of the digest in `Hash`.
struct ForwardedCertificate: ~Escapable {
    private let text: Span<UInt8>
    private var hash: Range<Int>?
    private var certificate: Range<Int>?

    private static let most = 64

    /// - Throws: `malformed_certificate`, `certificate_too_large`.
    static func thumbprint(of text: Span<UInt8>) throws(VerificationError) -> CertificateThumbprint {
        var element = ForwardedCertificate(text)
        try element.readPairs()
        return try element.thumbprint()
    }

    @_lifetime(copy text)
    private init(_ text: Span<UInt8>) { self.text = text }

    private func thumbprint() throws(VerificationError) -> CertificateThumbprint {
        guard let hash else { throw Self.malformed }
        let digest = try CertificateForm.thumbprint(ofDigest: text, hash)
        guard let certificate else { return digest }
        guard try CertificateForm.thumbprint(EscapedPEM.certificate(text, certificate)) == digest else { throw Self.malformed }
        return digest
    }

    private mutating func readPairs() throws(VerificationError) {
        var place = 0, count = 0
        repeat {
            let key = try readKey(&place), value = try readValue(&place)
            try note(key, value)
            count += 1
            guard count <= Self.most else { throw Self.malformed }
            guard place < text.count else { return }
            // A comma begins another element.
            guard text[place] == UInt8(ascii: ";") else { throw Self.malformed }
            place += 1
        } while true
    }

    private mutating func note(_ key: Range<Int>, _ value: Range<Int>) throws(VerificationError) {
        if text.equals(lowercased: Self.hashKey, in: key) {
            guard hash == nil else { throw Self.malformed }
            hash = value
        } else if text.equals(lowercased: Self.certificateKey, in: key) {
            guard certificate == nil else { throw Self.malformed }
            certificate = value
        }
    }

    private static let hashKey = Array("hash".utf8)
    private static let certificateKey = Array("cert".utf8)

    private func readKey(_ place: inout Int) throws(VerificationError) -> Range<Int> {
        let start = place
        while place < text.count, text[place].isLetter { place += 1 }
        guard place > start, place < text.count, text[place] == UInt8(ascii: "=") else { throw Self.malformed }
        place += 1
        return start..<place - 1
    }

    private func readValue(_ place: inout Int) throws(VerificationError) -> Range<Int> {
        guard place < text.count, text[place] == UInt8(ascii: "\"") else {
            let start = place
            while place < text.count, !Self.ends(text[place]) {
                guard text[place] != UInt8(ascii: "\"") else { throw Self.malformed }
                place += 1
            }
            return start..<place
        }
        let start = place + 1
        place = start
        while place < text.count, text[place] != UInt8(ascii: "\"") { place += text[place] == UInt8(ascii: "\\") ? 2 : 1 }
        guard place < text.count else { throw Self.malformed }
        place += 1
        guard place == text.count || Self.ends(text[place]) else { throw Self.malformed }
        return start..<place - 1
    }

    private static func ends(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") }

    private static var malformed: VerificationError { VerificationError(.malformedCertificate) }
}
