import FuzzInput
import JWTCore

/// A policy and the ways to verify under it.
struct PolicyCase {
    static let now: NumericDate = 1_700_000_100

    let rules: ClaimsPolicy
    let verifier: TokenVerifier<Lender>
    private let router: Router

    /// - Parameter hasKeys: false for a source without keys.
    init(hasKeys: Bool = true, _ change: (inout ClaimsPolicy) -> Void) {
        var policy = ClaimsPolicy()
        change(&policy)
        policy.algorithms = [.hs256]
        let keys = Lender(keys: hasKeys ? Keys.set([Keys.hs256JWK]) : nil)
        rules = policy
        verifier = TokenVerifier(keys: keys, policy: policy)
        router = Router(route: TokenRoute(policy: Self.rewritten(policy), keys: keys))
    }

    /// The same policy, whose rules are what it says that they are.
    private static func rewritten(_ policy: ClaimsPolicy) -> ClaimsPolicy {
        var copy = policy
        copy.audiences = policy.audiences
        copy.trustedAudiences = policy.trustedAudiences
        copy.types = policy.types
        copy.leeway = policy.leeway
        copy.maximumAge = policy.maximumAge
        copy.maximumAuthenticationAge = policy.maximumAuthenticationAge
        copy.scopes = policy.scopes
        copy.revokedTokenIDs = policy.revokedTokenIDs
        return copy
    }

    func verdict(_ token: [UInt8]) -> Verdict { Verdict { () throws(VerificationError) in try verifier.verify(token.span, now: Self.now) } }

    func batched(_ token: [UInt8]) -> Verdict { Verdict(verifier.verify(batch: [token], now: Self.now)[0]) }

    func routed(_ token: [UInt8]) -> Verdict { Verdict { () throws(VerificationError) in try router.verify(token.span, now: Self.now) } }

    /// The verdict with claims that are lent; each is asked for in every way.
    func lent(_ token: [UInt8]) -> Verdict {
        do throws(VerificationError) {
            let copy = try verifier.withVerified(token.span, now: Self.now) { claims in
                for claim in RegisteredClaim.allCases { precondition((claims[claim] == nil) == (claims[claim.name] == nil), "two lookups") }
                for scope in claims.scopes { precondition(claims.hasScope(scope), "a granted scope is denied") }
                precondition(!claims.hasScope("") && !claims.hasScope("a b"))
                // A dictionary takes two spellings of a letter as one name.
                let members = (try? claims.decode([String: Ignored].self))?.count ?? .max
                precondition(members <= claims.value.count && Array(copying: claims.payload).count > 1, "a claim from nowhere")
                _ = (claims.string("sub"), claims.string(.subject), claims.value(at: "aud", 0)?.count, claims.audience?.count)
                return VerifiedToken(claims)
            }
            _ = (copy.issuer, copy.subject, copy.keyID, copy.audience, copy.tokenID, copy.clientID, copy.scopes, copy.hasScope("read"))
            _ = (copy.expiration, copy.notBefore, copy.issuedAt, copy.authenticationTime, copy.algorithm)
            return Verdict(.success(copy))
        } catch {
            return Verdict(.failure(error))
        }
    }

    /// A route looks for the issuer before the signature: what is wrong with it is said first, and a source without keys last.
    func refusesByRoute(_ token: [UInt8], _ verdict: Verdict) -> Bool {
        guard case .refused(let error) = routed(token) else { return false }
        if case .refused(let single) = verdict, single.code == .keysUnavailable { return true }
        let isOfForm = error.code.number < 200 || error.code == .invalidClaim && error.claim == nil
        if isOfForm { return !verdict.isAccepted }
        return error.claim == .issuer && [.missingClaim, .invalidClaim].contains(error.code)
    }

    func only(_ names: [String]) -> String? { names.count == 1 ? names[0] : nil }
}

/// Any value.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) throws {}
}

/// Lends fixed keys, or none.
struct Lender: KeySource {
    let keys: KeySet?

    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        guard let keys else { throw .keysUnavailable }
        return try body(keys)
    }
}

/// Has one route, for every issuer.
private struct Router: TokenRouter {
    let route: TokenRoute<Lender>

    func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<Lender>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        try body(route)
    }
}
