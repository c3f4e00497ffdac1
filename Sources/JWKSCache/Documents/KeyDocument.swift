package import JWTCore

/// A parsed document of keys.
package struct KeyDocument: Sendable {
    package let keys: KeySet
    /// The text, for storing.
    package let text: [UInt8]
    /// `spiffe_sequence`: a bundle is never replaced by one with a lower number.
    package var sequence: UInt64?
    /// `spiffe_refresh_hint`, which overrides the HTTP lifetime.
    package var refreshHint: Duration?
    private let purpose: String

    /// - Parameters:
    ///   - previous: a set whose prepared keys are reused.
    /// - Throws: `invalidDocument`.
    package init(_ text: [UInt8], _ format: KeySetSource.Format, reusing previous: KeySet?) throws(RefreshFailure) {
        do throws(VerificationError) {
            let document = try JSONDocument(parsing: text.span)
            keys = try KeySet(published: document.root, purpose: format.purpose, reusing: previous)
            sequence = format == .spiffeBundle ? Self.count(document.root["spiffe_sequence"]?.number) : nil
            refreshHint =
                format == .spiffeBundle ? Self.count(document.root["spiffe_refresh_hint"]?.number).map { .seconds(Int64($0)) } : nil
        } catch {
            throw .invalidDocument(error)
        }
        self.text = text
        purpose = format.purpose
    }

    /// A document on this machine, which may also be one JWK, or keys in PEM or DER.
    ///
    /// - Throws: `invalidDocument`.
    package init(local text: [UInt8], reusing previous: KeySet?) throws(RefreshFailure) {
        // A set is read as one that is published, and no more leniently.
        if let isSet = try? KeySet.isSet(text.span), isSet {
            try self.init(text, .jwks, reusing: previous)
            return
        }
        do throws(VerificationError) {
            self.init(try KeySet(document: text), text)
        } catch {
            throw .invalidDocument(error)
        }
    }

    private init(_ keys: KeySet, _ text: [UInt8]) {
        self.keys = keys
        self.text = text
        purpose = KeySetSource.Format.jwks.purpose
    }

    package var hasUsableKey: Bool { keys.keys.contains(where: \.isUsable) }

    /// Whether every key has another use. An unusable key for JWTs is a mistake of the publisher, but no key for JWTs is a statement.
    package var hasNoKeyForJWTs: Bool { keys.keys.allSatisfy { ($0.use ?? "sig") != purpose } }

    /// A whole number that a double holds exactly.
    private static func count(_ number: Double?) -> UInt64? {
        guard let number, number >= 0, number <= 9_007_199_254_740_992, number.rounded() == number else { return nil }
        return UInt64(number)
    }
}

extension KeySetSource.Format {
    /// The required value of `use`: if present (RFC 7517 section 4.2), and in a bundle always (SPIFFE Trust Domain and Bundle, section
    /// 4.2.2).
    package var purpose: String {
        switch self {
        case .jwks: "sig"
        case .spiffeBundle: "jwt-svid"
        }
    }
}
