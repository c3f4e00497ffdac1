/// Which tokens a request needs.
///
/// The members of an `any` are tried in their order until one holds, allowances last. If none holds, the request gets the refusal that says
/// most: `keys_unavailable` before a refused token, that before a token of another issuer, that before a missing token.
public indirect enum Requirement: Hashable, Sendable {
    /// A valid token of the provider.
    case provider(String)
    /// At least one of these must hold.
    case any([Requirement])
    /// All of these must hold, each with its own token.
    case all([Requirement])
    /// In an `any`: a request without a token of the other members is allowed; a refused token is not.
    case allowMissing
    /// In an `any`: a request without a token of the other members, or with a refused one, is allowed as anonymous. The upstream does not
    /// get the refused token.
    case allowFailed
}
