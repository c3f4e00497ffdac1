public import JWTCore

/// Verifies Status List Tokens. Make one for the issuers whose keys `keys` has, and use it from any thread.
///
/// ```swift
/// let lists = StatusListVerifier(keys: keys)
/// let list = try lists.verify(response, uri: uri)
/// guard let status = list.status(at: index), status == 0 else { return refuse() }
/// ```
public struct StatusListVerifier<Keys: KeySource>: Sendable {
    private let verifier: TokenVerifier<Keys>
    private let clock: any UnixClock
    /// The limit of a list before compression.
    public let maximumBytes: Int

    /// - Parameters:
    ///   - keys: the keys of those who issue lists. The draft leaves open how they are found (section 11.3).
    ///   - policy: for its issuers, algorithms, leeway and checks. What section 5.1 requires is checked under every policy.
    ///   - maximumBytes: the limit of a list before compression. The limits of its token follow from it.
    ///   - clock: for tokens that come without a time.
    public init(
        keys: Keys, policy: ClaimsPolicy = .statusList, maximumBytes: Int = VerifiedStatusList.maximumBytes,
        clock: any UnixClock = SystemClock()
    ) {
        let limits = TokenLimits.statusList(maximumBytes: maximumBytes)
        verifier = TokenVerifier(keys: keys, policy: policy, limits: limits, clock: clock)
        self.clock = clock
        self.maximumBytes = maximumBytes
    }

    /// Verifies a Status List Token, and decompresses its list.
    ///
    /// - Parameters:
    ///   - token: a compact JWS, without white space around it.
    ///   - uri: where the list was asked for: `StatusReference.uri` of the referenced token.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Throws: why the list is refused.
    public func verify(
        _ token: Span<UInt8>, uri: String, now: NumericDate? = nil
    ) throws(StatusListError) -> VerifiedStatusList {
        let now = now ?? clock.now
        let result: Result<VerifiedStatusList, StatusListError>
        do throws(VerificationError) {
            result = try verifier.withVerified(token, now: now) { claims in list(in: claims, uri, now) }
        } catch {
            throw StatusListError(refusing: error)
        }
        return try result.get()
    }

    private func list(in claims: borrowing Claims, _ uri: String, _ now: NumericDate) -> Result<VerifiedStatusList, StatusListError> {
        do throws(StatusListError) {
            let leeway = verifier.policy.leeway
            return .success(try VerifiedStatusList(claims, uri: uri, now: now, leeway: leeway, maximumBytes: maximumBytes))
        } catch {
            return .failure(error)
        }
    }

    /// Verifies a Status List Token in a `String`.
    public func verify(_ token: String, uri: String, now: NumericDate? = nil) throws(StatusListError) -> VerifiedStatusList {
        try verify(token.utf8.span, uri: uri, now: now)
    }

    /// Verifies a Status List Token in an array of bytes.
    public func verify(_ token: [UInt8], uri: String, now: NumericDate? = nil) throws(StatusListError) -> VerifiedStatusList {
        try verify(token.span, uri: uri, now: now)
    }
}
