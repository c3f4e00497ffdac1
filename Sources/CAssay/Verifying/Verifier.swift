internal import CAssayInterface
internal import JWTCore

/// A verifier as C holds it: for one issuer, or for several, of which the token's `iss` chooses one.
final class Verifier: Sendable {
    private let only: IssuerVerifier
    /// The issuers' names, and the verifier of each. Both are empty for one issuer.
    private let names: NameIndex
    private let routes: [IssuerVerifier]
    private let limits: TokenLimits

    /// - Throws: invalid_argument if several policies do not name distinct issuers.
    init(_ issuers: [(policy: ClaimsPolicy, keys: Keys)], _ options: VerifierOptions) throws(InterfaceFailure) {
        let verifiers = issuers.map { options.verifier($0.policy, $0.keys) }
        guard let only = verifiers.first else { throw InterfaceFailure(.invalidArgument) }
        var names: [String] = [], routes: [IssuerVerifier] = []
        if verifiers.count > 1 {
            for verifier in verifiers {
                guard !verifier.issuers.isEmpty else { throw InterfaceFailure(.invalidArgument) }
                names += verifier.issuers
                routes += verifier.issuers.map { _ in verifier }
            }
        }
        guard Set(names).count == names.count else { throw InterfaceFailure(.invalidArgument) }
        self.only = only
        self.names = NameIndex(names)
        self.routes = routes
        limits = options.limits
    }

    /// Whether the token's `iss` chooses the policy.
    var isRouting: Bool { !routes.isEmpty }

    func verify(_ token: Span<UInt8>, now: NumericDate?, _ result: ResultMemory?) -> assay_code {
        judge(result) { () throws(VerificationError) in
            isRouting ? try verifier(of: token).verify(token, now: now, result) : try only.verify(token, now: now, result)
        }
    }

    func verify(_ token: Span<UInt8>, now: NumericDate?, _ login: Login, _ result: ResultMemory?) -> assay_code {
        judge(result) { () throws(VerificationError) in try verifier(of: token).verify(token, now: now, login, result) }
    }

    func verifyPayload(_ token: Span<UInt8>, _ result: ResultMemory?) -> assay_code {
        guard !isRouting else { return .invalidArgument }
        return judge(result) { () throws(VerificationError) in try only.verifyPayload(token, result) }
    }

    func verify(_ tokens: [CallerText], now: NumericDate?, _ verdicts: BatchVerdicts) {
        guard !isRouting else {
            for (index, token) in tokens.enumerated() { verdicts.note(index, verify(token.bytes, now: now, verdicts.result(index))) }
            return
        }
        var batch = TokenBatch()
        for token in tokens { batch.append(token.bytes) }
        only.verify(batch, now: now, verdicts)
    }

    private func judge(_ result: ResultMemory?, _ verify: () throws(VerificationError) -> assay_code) -> assay_code {
        do throws(VerificationError) {
            return try verify()
        } catch {
            result?.refuse(error)
            return assay_code(error.code.number)
        }
    }

    /// The verifier for the token's `iss`, which is not verified yet and only looked up.
    private func verifier(of token: Span<UInt8>) throws(VerificationError) -> IssuerVerifier {
        guard isRouting else { return only }
        return try CompactToken(parsing: token, limits: limits).withUnverifiedIssuer(limits) { issuer throws(VerificationError) in
            let place = names.first(issuer)
            guard place >= 0 else { throw VerificationError(.issuerMismatch, claim: .issuer) }
            return routes[place]
        }
    }
}

/// What all issuers of a verifier share.
struct VerifierOptions {
    var limits = TokenLimits.standard
    var cache: VerifiedTokenCache?

    init() {}

    /// Nil for a structure that is too short, for a number out of range, and for settings of a cache without one.
    @unsafe
    init?(_ pointer: UnsafePointer<assay_verifier_options>) {
        // Before all members are read, the first one says whether they are there.
        guard unsafe pointer.pointee.size >= MemoryLayout<assay_verifier_options>.size else { return nil }
        let options = unsafe pointer.pointee
        guard options.token_bytes <= 1 << 20, options.reserved == 0,
            let cache = CacheOptions(bytes: options.cache_bytes, seconds: options.cache_seconds, digests: options.cache_digests)
        else { return nil }
        if options.token_bytes > 0 { limits.tokenBytes = Int(options.token_bytes) }
        self.cache = cache.cache
    }

    func verifier(_ policy: ClaimsPolicy, _ keys: Keys) -> IssuerVerifier {
        switch keys.source {
        case .fixed(let keys): keyed(TokenVerifier(keys: keys, policy: policy, limits: limits))
        case .hosted(let keys): keyed(TokenVerifier(keys: keys, policy: policy, limits: limits))
        }
    }

    private func keyed<Source: KeySource>(_ verifier: TokenVerifier<Source>) -> IssuerVerifier {
        KeyedVerifier(cache.map { verifier.caching(in: $0) } ?? verifier)
    }
}
