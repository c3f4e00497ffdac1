import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport

/// Issuers with a simulated network and clock.
final class Federation: Sendable {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let log = EventLog()

    init() {
        // Not zero, so that unused key sets differ from those used at the start.
        clock.advance(by: .seconds(10))
    }

    /// Issuer number `number`.
    static func name(_ number: Int) -> String { "https://idp-\(number).example" }

    /// A configuration whose keys are at `name(number)/jwks`.
    static func configuration(_ number: Int, isRequired: Bool = false) -> IssuerConfiguration {
        let name = name(number)
        var configuration = IssuerConfiguration(
            name, source: .jwks(url: "\(name)/jwks"), policy: ClaimsPolicy(issuer: name, audience: "client-1"))
        configuration.isRequired = isRequired
        return configuration
    }

    /// Issuer `number` publishes `document` from now on.
    func publish(_ number: Int, _ document: String) { transport.answer("\(Self.name(number))/jwks", document) }

    /// The issuer of a tenant publishes `document` from now on.
    func publish(tenant issuer: String, _ document: String) {
        transport.answer("\(issuer)/.well-known/openid-configuration", Discovery.metadata(issuer: issuer, keys: "\(issuer)/keys"))
        transport.answer("\(issuer)/keys", document)
    }

    func trusting(_ issuers: [IssuerConfiguration], templates: [IssuerTemplate] = [], limits: TrustedIssuers.Limits = .init())
        -> TrustedIssuers
    {
        TrustedIssuers(
            issuers, templates: templates, limits: limits, transport: transport, clock: clock, date: clock, observer: log.observe)
    }

    /// A token signed by the pool's key at `place`, with the issuer `issuer`.
    static func token(_ place: Int, _ issuer: String, audience: String = "client-1") -> String {
        KeyPool.forges[place].token(payload(issuer, audience: audience))
    }

    static func token(_ place: Int, of number: Int) -> String { token(place, name(number)) }

    static func payload(_ issuer: String, audience: String = "client-1") -> String {
        "{\"iss\":\(JSONText.quoted(issuer)),\"sub\":\"a\",\"aud\":\"\(audience)\",\"exp\":1700003600,\"iat\":1700000000}"
    }

    /// The number of requests for `url`.
    func requests(_ number: Int) -> Int { transport.requests.count { $0.url == "\(Self.name(number))/jwks" } }

    /// Verifies `token` until its issuer's keys have been fetched.
    ///
    /// Only a fetch of this issuer counts: those of others may end in between.
    func loading(_ issuers: TrustedIssuers, _ token: String) async -> String {
        let issuer = (try? UnverifiedClaims(reading: token))?.issuer ?? ""
        let source = issuers.keys(of: issuer)?.name ?? issuer
        let ends = log.ends(of: source)
        let verdict = issuers.verdict(token)
        guard verdict == "keys_unavailable" else { return verdict }
        _ = await settles { [log] in log.ends(of: source) > ends }
        return issuers.verdict(token)
    }
}

extension EventLog {
    /// The number of completed fetches.
    var ends: Int { ends(of: "") }

    /// The number of completed fetches from addresses that begin with `issuer`.
    func ends(of issuer: String) -> Int {
        all.count { event in
            let word = event.kind.word
            return event.source.hasPrefix(issuer) && (word == "installed" || word == "confirmed" || word.hasPrefix("failed"))
        }
    }
}

extension TrustedIssuers {
    func verdict(_ token: String) -> String {
        do throws(VerificationError) {
            try withVerified(token.utf8.span, now: TokenForge.now) { _ in }
            return "valid"
        } catch {
            return error.code.name
        }
    }
}
