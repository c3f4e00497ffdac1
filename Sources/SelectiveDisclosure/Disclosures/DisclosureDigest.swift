internal import JWTCore

/// A digest of disclosures: a value of `_sd_alg`, by its name in IANA's registry "Named Information Hash Algorithm" (RFC 9901 section
/// 4.1.1).
public enum DisclosureDigest: String, Sendable, CaseIterable {
    case sha256 = "sha-256"
    case sha384 = "sha-384"
    case sha512 = "sha-512"
}

extension DisclosureDigest {
    /// The digest with this name, compared exactly.
    init?(_ name: borrowing JSONString) {
        for digest in Self.allCases where name.equals(digest.rawValue) {
            self = digest
            return
        }
        return nil
    }

    private var digest: Digest {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }

    /// The base64url text of the digest of `text`.
    ///
    /// - Throws: `presentation_too_large` if memory is exhausted.
    func text(of text: Span<UInt8>) throws(PresentationError) -> [UInt8] {
        let bytes = digest.bytes(of: text)
        guard !bytes.isEmpty else { throw PresentationError(.presentationTooLarge) }
        return Base64URL.encode(bytes)
    }
}
