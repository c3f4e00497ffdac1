public import JWKSCache
public import JWTCore
public import TokenStatus

/// An issuer whose tokens name status lists: where its lists may come from, and whose keys verify them.
public struct StatusListIssuer: Sendable {
    /// `iss` of the tokens, byte for byte. A list that names an issuer must name this one.
    public let issuer: String
    let origins: Set<ListOrigin>
    let leeway: Duration
    /// Waits for keys if it can.
    let verify: Verification
    /// Never waits.
    let verifyNow: ImmediateVerification
    /// Changes when other keys have come, if it is known.
    let keysGeneration: @Sendable () -> UInt64

    /// Verifies the token in a response for an address and a time.
    typealias Verification = @Sendable ([UInt8], String, NumericDate) async -> Result<VerifiedStatusList, StatusListError>
    typealias ImmediateVerification = @Sendable ([UInt8], String, NumericDate) -> Result<VerifiedStatusList, StatusListError>

    /// The longest response with a list of ``VerifiedStatusList/maximumBytes``.
    package static let responseBytes = TokenLimits.statusList(maximumBytes: VerifiedStatusList.maximumBytes).tokenBytes

    /// - Parameters:
    ///   - issuer: `iss` of the tokens.
    ///   - origins: URLs of the only origins that lists are requested from, such as `https://status.example`. A token that names another is
    ///     no reason for a request.
    ///   - keys: the keys of those who issue the lists. The draft leaves open how they are found (section 11.3).
    ///   - policy: what lists must fulfil beside section 5.1.
    ///   - maximumBytes: the limit of a list before compression. The transport must permit a body of
    ///     `TokenLimits.statusList(maximumBytes:).tokenBytes`.
    /// - Throws: `invalid_url` for an origin that is none.
    public init(
        _ issuer: String, origins: [String], keys: some KeySource, policy: ClaimsPolicy = .statusList,
        maximumBytes: Int = VerifiedStatusList.maximumBytes
    ) throws(RequestFailure) {
        let verifier = StatusListVerifier(keys: keys, policy: policy, maximumBytes: maximumBytes)
        try self.init(issuer, origins, policy, verifyNow: verifier.verdict, verify: verifier.verdict)
    }

    /// The same with keys that a host fetches. A list that lacks a key is fetched again when keys have come.
    package init(
        _ issuer: String, origins: [String], keys: HostedKeySet, policy: ClaimsPolicy = .statusList,
        maximumBytes: Int = VerifiedStatusList.maximumBytes
    ) throws(RequestFailure) {
        let verifier = StatusListVerifier(keys: keys, policy: policy, maximumBytes: maximumBytes)
        try self.init(
            issuer, origins, policy, verifyNow: verifier.verdict, verify: verifier.verdict, keysGeneration: { keys.generation })
    }

    /// The same with keys that are fetched. A list waits for a key as a token does.
    public init(
        _ issuer: String, origins: [String], keys: RemoteKeySet, policy: ClaimsPolicy = .statusList,
        maximumBytes: Int = VerifiedStatusList.maximumBytes
    ) throws(RequestFailure) {
        let verifier = StatusListVerifier(keys: keys, policy: policy, maximumBytes: maximumBytes)
        try self.init(issuer, origins, policy, verifyNow: verifier.verdict) { token, uri, now in
            do throws(VerificationError) {
                return try await keys.retrying { () throws(VerificationError) in try verifier.result(token, uri, now) }
            } catch {
                return .failure(StatusListError(refusing: error))
            }
        }
    }

    private init(
        _ issuer: String, _ origins: [String], _ policy: ClaimsPolicy, verifyNow: @escaping ImmediateVerification,
        verify: @escaping Verification, keysGeneration: @escaping @Sendable () -> UInt64 = { 0 }
    ) throws(RequestFailure) {
        var permitted: Set<ListOrigin> = []
        for text in origins {
            guard let origin = ListOrigin(of: text.utf8) else { throw RequestFailure(.invalidURL, "not an origin of status lists") }
            permitted.insert(origin)
        }
        self.issuer = issuer
        self.origins = permitted
        self.verify = verify
        self.verifyNow = verifyNow
        self.keysGeneration = keysGeneration
        leeway = policy.leeway
    }

    /// Whether `text` is an origin that lists may come from.
    package static func isOrigin(_ text: String) -> Bool { ListOrigin(of: text.utf8) != nil }

    /// Whether lists may be requested from `uri`.
    func permits(_ uri: [UInt8]) -> Bool { ListOrigin(of: uri).map(origins.contains) ?? false }
}

extension StatusListVerifier {
    /// - Throws: `keys_unavailable` alone; the other refusals are results.
    fileprivate func result(
        _ token: [UInt8], _ uri: String, _ now: NumericDate
    ) throws(VerificationError) -> Result<VerifiedStatusList, StatusListError> {
        let verdict = verdict(token, uri, now)
        if case .failure(let error) = verdict, let cause = error.cause, cause.code == .keysUnavailable { throw cause }
        return verdict
    }

    @Sendable
    fileprivate func verdict(_ token: [UInt8], _ uri: String, _ now: NumericDate) -> Result<VerifiedStatusList, StatusListError> {
        do throws(StatusListError) { return .success(try verify(token, uri: uri, now: now)) } catch { return .failure(error) }
    }
}

extension StatusListIssuer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer. No key and no value of its policy is in it.
    public var description: String { "StatusListIssuer(\(String(reflecting: issuer)))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
