internal import JWTCore

/// What an accepted token gives.
struct Grant {
    /// The position of its provider in the policy, and of its place.
    let provider: Int
    let place: Int
    /// The values of the provider's fields, in the order of its claims, and of its payload.
    let values: [String]
    let payload: String?
    let hasScopes: Bool
}

extension Grant {
    /// Judges claims whose token the verifier has accepted.
    ///
    /// - Returns: the reason of a refusal: `revoked` or `claims_too_large`.
    static func grant(
        for claims: borrowing Claims, of token: Span<UInt8>, _ provider: ProviderRules, position: Int, place: Int, scopes: [[UInt8]],
        _ revocations: Revocations
    ) -> Result<Grant, Refusal> {
        guard !revocations.revoke(claims) else { return .failure(Refusal(.revoked, provider: position)) }
        let limits = provider.limits
        var total = 0, values: [String] = []
        for header in provider.claimHeaders {
            let value = header.value(in: claims.value)
            total += value.count
            guard value.count <= limits.valueBytes else { return .failure(Refusal(.claimsTooLarge, provider: position)) }
            values.append(String(decoding: value, as: UTF8.self))
        }
        let payload = provider.payloadSlot.map { _ in Self.payload(of: token) }
        guard total + (payload?.utf8.count ?? 0) <= limits.totalBytes else {
            return .failure(Refusal(.claimsTooLarge, provider: position))
        }
        let hasScopes = TokenScopes.contain(scopes, in: claims)
        return .success(Grant(provider: position, place: place, values: values, payload: payload, hasScopes: hasScopes))
    }

    /// The token's second part: base64url is strict, so it is the only encoding of the payload.
    private static func payload(of token: Span<UInt8>) -> String {
        var parts = Parts(token.indices, separator: UInt8(ascii: ".")), text: [UInt8] = []
        _ = parts.next(in: token)
        guard let payload = parts.next(in: token) else { return "" }
        text.reserveCapacity(payload.count)
        for place in payload { text.append(token[place]) }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Why a requirement does not hold.
struct Refusal: Error {
    let reason: DenialReason
    /// The position of the provider in the policy; nil where none is the cause.
    let provider: Int?

    init(_ reason: DenialReason, provider: Int? = nil) {
        self.reason = reason
        self.provider = provider
    }

    var lacksKeys: Bool {
        guard case .token(let error) = reason else { return false }
        return error.code == .keysUnavailable
    }

    /// How much it says about the request. Of several refusals the one that says most is reported.
    var rank: Int {
        switch reason {
        case .token(let error) where error.code == .keysUnavailable: 3
        case .token(let error) where error.code == .issuerMismatch: 1
        case .missingToken: 0
        default: 2
        }
    }
}
