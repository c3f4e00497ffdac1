import AssayTesting
import Foundation
import FuzzInput
import JWKSCache
import JWTCore

/// Tokens that name an issuer, before a closed map and templates of tenants. Only the issuer of the map has keys.
enum Tenants {
    private static let mapped = "https://idp.example", prefix = "https://login.example/", suffix = "/v2.0"
    private static let listed = ["https://b.example/t/one", "https://b.example/t/two"]
    private static let clock = ManualClock()
    private static let issuers = Fuzzer.lasting { made() }

    private static var policy: ClaimsPolicy {
        var policy = ClaimsPolicy()
        policy.algorithms = [.ed25519]
        policy.requiresExpiration = false
        return policy
    }

    /// No token waits for a fetch: the clock stands still meanwhile.
    private static var refresh: RefreshPolicy {
        var refresh = RefreshPolicy.availabilityFirst
        refresh.waitBudget = .none
        return refresh
    }

    private static func made() -> TrustedIssuers {
        var known = IssuerConfiguration(mapped, source: .inline(#"{"keys":[\#(Keys.jwk(Keys.ed25519))]}"#), policy: policy)
        (known.isRequired, known.refresh) = (true, refresh)
        let patterns = [(prefix + "{tenant}" + suffix, nil), ("https://b.example/t/{tenant}", Set(["one", "two"]))]
        var limits = TrustedIssuers.Limits()
        (limits.tenants, limits.documentBytes) = (4, 64)
        let issuers = TrustedIssuers(
            [known], templates: patterns.compactMap { IssuerTemplate($0, tenants: $1, policy: policy, refresh: refresh) },
            limits: limits, transport: NoTransport(), clock: clock, date: clock)
        // The clock stands still, so nothing may wait for it.
        while !issuers.isReady { usleep(1_000) }
        precondition(Waiting.value { await issuers.ready(within: .zero) }, "not ready with its keys")
        return issuers
    }

    /// A token is accepted only from the issuer of the map. Of the others, only tenants of a template are worth a fetch.
    static func check(_ issuer: String) {
        clock.advance(by: .milliseconds(600))
        let token = token(issuer, keyID: "ed"), code = code(token)
        let isMapped = issuer.utf8.elementsEqual(mapped.utf8)
        precondition((code == nil) == isMapped, "a token of another issuer")
        if !isMapped { precondition(code == (isTenant(issuer) ? .keysUnavailable : .issuerMismatch), "another issuer is asked for keys") }
        precondition((issuers.status(of: issuer) == nil) == (issuers.keys(of: issuer) == nil), "a state of no keys")
        precondition(issuers.keySets.count <= 5, "more tenants than the limit")
        if code != .issuerMismatch { checkForms(token, code) }
        if isMapped { checkUnknownKey(issuer) }
    }

    /// A verifier that may wait says the same, and so does each form of the token.
    private static func checkForms(_ token: [UInt8], _ expected: VerificationError.Code?) {
        let text = String(decoding: token, as: UTF8.self), waiting = RefreshingVerifier(issuers)
        let forms = [
            code { () throws(VerificationError) in _ = try issuers.verify(text) },
            code { () throws(VerificationError) in try issuers.withVerified(text) { _ in } },
            code { () throws(VerificationError) in try issuers.withVerified(token) { _ in } },
            Waiting.value { await codeAfterWaiting { () async throws(VerificationError) in _ = try await waiting.verify(text) } },
        ]
        precondition(forms.allSatisfy { $0 == expected }, "a form of the token is judged otherwise")
    }

    /// A key that the issuer does not have; and a login whose nonce the token lacks.
    private static func checkUnknownKey(_ issuer: String) {
        let token = token(issuer, keyID: "other")
        guard let code = code(token) else { preconditionFailure("accepted without its key") }
        precondition([.unknownKey, .keysUnavailable].contains(code), "another refusal of an unknown key")
        let login = issuers.expecting(nonce: "n").expecting(accessToken: "a").expecting(code: "c")
        precondition((try? login.verify(Self.token(issuer, keyID: "ed"))) == nil, "accepted without the nonce")
        let text = issuers.explanation(of: VerificationError(code), token: String(decoding: token, as: UTF8.self))
        precondition(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "an explanation ends its line")
    }

    /// A pattern is a URL whose path has the tenant as one segment. A tenant cannot add another segment.
    static func check(pattern: String) {
        guard let template = IssuerTemplate(pattern, policy: policy) else { return }
        let parts = pattern.split(separator: "{tenant}", omittingEmptySubsequences: false).map(String.init)
        precondition(parts.count == 2 && parts[0].filter { $0 == "/" }.count >= 3, "a tenant in the place of the host")
        let issuers = TrustedIssuers([], templates: [template], transport: NoTransport(), clock: clock, date: clock)
        for (tenant, expected) in [("t-1", VerificationError.Code.keysUnavailable), ("a/b", .issuerMismatch), ("..", .issuerMismatch)] {
            let token = token(parts.joined(separator: tenant), keyID: "ed")
            precondition(code(token, issuers) == expected, "another tenant of a template")
        }
    }

    /// Judged without the code under test.
    private static func isTenant(_ issuer: String) -> Bool {
        if listed.contains(where: { $0.utf8.elementsEqual(issuer.utf8) }) { return true }
        let bytes = Array(issuer.utf8), tenant = bytes.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        guard bytes == Array(prefix.utf8) + tenant + Array(suffix.utf8), (1...64).contains(tenant.count) else { return false }
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)
        return tenant.allSatisfy(allowed.contains) && tenant.contains { $0 != UInt8(ascii: ".") }
    }

    private static func code(_ token: [UInt8], _ issuers: TrustedIssuers = issuers) -> VerificationError.Code? {
        code { () throws(VerificationError) in _ = try issuers.verify(token) }
    }

    private static func code(_ verify: () throws(VerificationError) -> Void) -> VerificationError.Code? {
        do throws(VerificationError) { try verify() } catch {
            ReachedCodes.note(error)
            return error.code
        }
        return nil
    }

    private static func codeAfterWaiting(_ verify: () async throws(VerificationError) -> Void) async -> VerificationError.Code? {
        do throws(VerificationError) { try await verify() } catch { return error.code }
        return nil
    }

    /// A token of the issuer of the map is signed. The others are refused before their signature, which would cost most of the time.
    private static func token(_ issuer: String, keyID: String) -> [UInt8] {
        let header = Array(#"{"alg":"\#(SignatureAlgorithm.ed25519.name)","kid":"\#(keyID)"}"#.utf8)
        let payload = Array(#"{"iss":\#(quoted(issuer))}"#.utf8)
        if issuer.utf8.elementsEqual(mapped.utf8) { return Keys.token(Keys.ed25519, header: header, payload: payload) }
        let parts = [Base64URL.encode(header), Base64URL.encode(payload), Array(repeating: UInt8(ascii: "A"), count: 86)]
        return Array(parts.joined(separator: [UInt8(ascii: ".")]))
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\" + String(scalar)
            case "\0"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

/// No issuer answers.
private struct NoTransport: DocumentTransport {
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { throw RequestFailure(.connection) }
}
