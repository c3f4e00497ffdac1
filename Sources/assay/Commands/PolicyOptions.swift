import ArgumentParser
import JWTCore

/// The requirements for a token: options of `verify`.
struct PolicyOptions: ParsableArguments {
    @Option(help: "The required issuer (iss). Without --keys or --key, its discovery document names the keys.")
    var issuer: String?
    @Option(help: "An accepted audience (aud). May be repeated.")
    var audience: [String] = []
    @Flag(
        name: .customLong("id-token"),
        help: "Verify an id_token (OIDC Core section 3.1.3.7). --audience is the client id; --issuer is required too.")
    var isIDToken = false
    @Flag(
        name: .customLong("access-token"),
        help: "Verify a JWT access token (RFC 9068 section 4). --audience is the resource server; --issuer is required too.")
    var isAccessToken = false
    @Option(help: "The required nonce: that of the authentication request.")
    var nonce: String?
    @Option(help: "An accepted media type (typ), instead of the profile's. May be repeated; '' allows its absence.")
    var type: [String] = []
    @Option(name: .customLong("require"), help: ArgumentHelp("A claim that must be present. May be repeated.", valueName: "claim"))
    var required: [String] = []
    @Option(
        help: "An accepted algorithm, in any case. May be repeated. Default: all except HS256, HS384 and HS512.",
        completion: .list(AlgorithmArgument.names), transform: AlgorithmArgument.algorithm)
    var algorithm: [SignatureAlgorithm] = []
    @Option(help: "The permitted clock difference in seconds. Default: 60.", transform: NumberArgument.int64)
    var leeway: Int64?

    func validate() throws {
        // What a script passes whose variable is not set: a token with an empty nonce belongs to no login.
        guard nonce != "" else { throw ValidationError("--nonce must not be empty") }
        guard !(isIDToken && isAccessToken) else { throw ValidationError("use either --id-token or --access-token") }
        guard let profile else { return }
        // Without them the profile would check less than its specification.
        guard issuer != nil, !audience.isEmpty else { throw ValidationError("\(profile) needs --issuer and --audience") }
    }

    /// The first option that checks claims, which `--no-claims` would leave unchecked.
    ///
    /// - Parameter hasKeys: whether the keys are named. If not, the issuer names them.
    func checkOfClaims(hasKeys: Bool) -> String? {
        if let profile { return profile }
        let given = [
            ("--nonce", nonce != nil), ("--require", !required.isEmpty), ("--audience", !audience.isEmpty), ("--leeway", leeway != nil),
            ("--issuer", hasKeys && issuer != nil),
        ]
        return given.first { $0.1 }?.0
    }

    /// A sentence on what no option checks; nil if issuer and audience are checked. RFC 7519 section 4.1.3: a token is for those whom its
    /// `aud` names, and without --audience it is not compared.
    var unchecked: String? {
        switch (issuer == nil, audience.isEmpty) {
        case (true, true): "not checked: the issuer (--issuer) and the audience (--audience)"
        case (true, false): "not checked: the issuer (--issuer)"
        case (false, true): "not checked: the audience (--audience)"
        case (false, false): nil
        }
    }

    private var profile: String? { isIDToken ? "--id-token" : isAccessToken ? "--access-token" : nil }

    var policy: ClaimsPolicy {
        var policy = base
        policy.issuers = issuer.map { [$0] } ?? []
        policy.audiences = audience
        policy.nonce = nonce
        if !type.isEmpty { policy.types = type }
        policy.requiredClaims += required
        policy.leeway = .seconds(leeway ?? 60)
        if !algorithm.isEmpty { policy.algorithms = AlgorithmSet(algorithm) }
        return policy
    }

    private var base: ClaimsPolicy {
        if isIDToken { return .idToken(issuer: "", clientID: "") }
        return isAccessToken ? .accessToken(issuer: "", audience: "") : ClaimsPolicy()
    }
}
