public import JWTCore

/// Why a refresh got no usable keys. The current set stays accepted until its end.
public enum RefreshFailure: Error, Hashable, Sendable {
    /// There was no response.
    case fetch(RequestFailure)
    /// The response had another status than 200 or 304.
    case status(Int)
    /// A 304 to a request that was not conditional.
    case unexpectedNotModified
    /// The document is not a key set: not JSON, repeated members, no `keys`, too large or too many.
    case invalidDocument(VerificationError)
    /// No key of the document is usable; perhaps it has none.
    case noUsableKey
    /// More keys disappeared than the policy allows at once; the next fetch decides. `churn` is the share, 0 to 1.
    case held(churn: Double)
    /// The metadata is not an issuer's, or names a key address that may not be requested.
    case invalidMetadata
    /// The metadata names another issuer (OpenID Connect Discovery section 4.3, RFC 8414 section 3.3).
    case issuerMismatch
    /// A SPIFFE bundle with a lower sequence number than the current one.
    case olderSequence
    /// The file cannot be read, is not a regular file, or is too large.
    case unreadableFile
    /// The attempt took longer than the policy allows.
    case attemptTimedOut

    /// The stable name, for metrics and logs.
    public var code: String { staticCode.description }

    /// ``code`` as static text, which the C interface lends to its callers.
    package var staticCode: StaticString {
        switch self {
        case .fetch(let failure): failure.reason.fetchCode
        case .status: "status"
        case .unexpectedNotModified: "unexpected_not_modified"
        case .invalidDocument: "invalid_document"
        case .noUsableKey: "no_usable_key"
        case .held: "held"
        case .invalidMetadata: "invalid_metadata"
        case .issuerMismatch: "issuer_mismatch"
        case .olderSequence: "older_sequence"
        case .unreadableFile: "unreadable_file"
        case .attemptTimedOut: "attempt_timed_out"
        }
    }
}

extension RequestFailure.Reason {
    /// The raw value after `fetch_`.
    fileprivate var fetchCode: StaticString {
        switch self {
        case .invalidURL: "fetch_invalid_url"
        case .invalidField: "fetch_invalid_field"
        case .unreadableCredential: "fetch_unreadable_credential"
        case .forbiddenAddress: "fetch_forbidden_address"
        case .unresolvedName: "fetch_unresolved_name"
        case .connection: "fetch_connection"
        case .proxy: "fetch_proxy"
        case .tls: "fetch_tls"
        case .pinMismatch: "fetch_pin_mismatch"
        case .timedOut: "fetch_timed_out"
        case .tooLarge: "fetch_too_large"
        case .redirect: "fetch_redirect"
        case .malformed: "fetch_malformed"
        case .cancelled: "fetch_cancelled"
        }
    }
}

extension RefreshFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fetch(let failure): failure.detail.isEmpty ? code : "\(code): \(failure.detail)"
        case .status(let status): "answered \(status)"
        case .unexpectedNotModified: "answered 304 to a request that was not conditional"
        case .invalidDocument(let error): "not a key set: \(error)"
        case .noUsableKey: "holds no key this can use"
        case .held(let churn): "\(Int((100 * churn).rounded())) % of the keys disappeared at once; held until it is seen again"
        case .invalidMetadata: "the issuer's metadata is not usable"
        case .issuerMismatch: "the metadata names another issuer"
        case .olderSequence: "an older bundle than the one at hand"
        case .unreadableFile: "the file cannot be read"
        case .attemptTimedOut: "no answer within the time allowed"
        }
    }
}
