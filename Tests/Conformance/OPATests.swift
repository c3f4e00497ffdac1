import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Open Policy Agent's compliance cases, by OPA's rules: the constraints of `io.jwt.decode_verify` become a policy.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct OPATests {
    /// Cases that OPA accepts and this library refuses, with the code.
    private static let stricter = [
        "test-jwtdecodeverify-0476": "key_use_mismatch",  // the only RSA key has use: enc (RFC 7517 section 4.2)
        "test-jwtbuiltins-0400": "duplicate_member",  // iss three times (RFC 7519 section 4)
        "test-jwtdecodeverify-0468": "weak_key",  // the secret is "secret": 6 bytes (RFC 7518 section 3.2), here and below
        "test-jwtdecodeverify-0478": "weak_key",
        "test-jwtdecodeverify-0480": "weak_key",
        "test-jwtdecodeverify-0486": "weak_key",
        "test-jwtdecodeverify-0487": "weak_key",
        "test-jwtverifyhs384-0443": "weak_key",
        "test-jwtverifyhs512-0446": "weak_key",
    ]

    /// The codes for cases that both refuse.
    private static let refused = [
        "test-jwtdecodeverify-0450": "signature_invalid", "test-jwtdecodeverify-0453": "issuer_mismatch",
        "test-jwtdecodeverify-0457": "expired", "test-jwtdecodeverify-0458": "expired", "test-jwtdecodeverify-0462": "not_yet_valid",
        "test-jwtdecodeverify-0463": "missing_algorithm", "test-jwtdecodeverify-0464": "unsupported_critical",
        "test-jwtdecodeverify-0469": "weak_key", "test-jwtdecodeverify-0472": "missing_claim",
        "test-jwtdecodeverify-0473": "audience_mismatch", "test-jwtdecodeverify-0474": "audience_mismatch",
        "test-jwtdecodeverify-0475": "audience_mismatch", "test-jwtdecodeverify-0477": "algorithm_not_allowed",
        "test-jwtdecodeverify-0490": "weak_key", "test-jwtverifyrsa-0410": "algorithm_not_allowed", "test-jwtverifyrsa-0412": "invalid_key",
        "test-jwtverifyrsa-0414": "invalid_key", "test-jwtverifyrsa-0415": "key_algorithm_mismatch", "test-jwtverifyhs256-0441": "weak_key",
        "test-jwtverifyhs256-0442": "weak_key", "test-jwtverifyhs384-0445": "weak_key", "test-jwtverifyhs512-0448": "weak_key",
        "test-jwtbuiltins-0391": "encrypted_token", "test-jwtbuiltins-0392": "malformed_token", "test-jwtbuiltins-0393": "malformed_token",
        "test-jwtbuiltins-0394": "invalid_base64url", "test-jwtbuiltins-0396": "invalid_base64url",
    ]

    @Test
    func everyCaseOfOPAIsJudgedAsListed() {
        let cases = ConformanceInput.list("jwt/opa/opa-jwt-cases.json").map(OPACase.init)
        for vector in cases {
            let expected = vector.isAccepted ? Self.stricter[vector.id] ?? "valid" : Self.refused[vector.id]
            #expect(vector.judgement.verdict == expected, "\(vector.id) \(vector.note)")
            if expected == "valid", let payload = vector.wantedPayload {
                #expect(vector.judgement.payload.flatMap(ConformanceInput.dictionary) == payload, "\(vector.id)")
            }
        }
        #expect(cases.count { $0.isAccepted } == 39)
        #expect(cases.count { !$0.isAccepted } == 27)
        #expect(Set(Self.stricter.keys).isSubset(of: cases.filter(\.isAccepted).map(\.id)))
        #expect(Set(Self.refused.keys) == Set(cases.filter { !$0.isAccepted }.map(\.id)))
    }
}

private struct OPACase {
    let id: String
    let note: String
    private let call: String
    private let token: String
    private let key: String?
    private let constraints: [String: Any]
    private let want: [String: Any]

    init(_ object: [String: Any]) {
        id = object["id"] as? String ?? ""
        note = object["note"] as? String ?? ""
        call = object["call"] as? String ?? ""
        token = object["jwt"] as? String ?? ""
        key = object["key"] as? String
        constraints = object["constraints"] as? [String: Any] ?? [:]
        want = object["want"] as? [String: Any] ?? [:]
    }

    var isAccepted: Bool { want["valid"] as? Bool ?? (want["error"] == nil) }
    var wantedPayload: NSDictionary? { want["payload"] as? NSDictionary }

    var judgement: Judgement {
        switch call {
        case "io.jwt.decode": decoded
        case "io.jwt.decode_verify": verified(token)
        default: Judgement(jws: token, keys, AlgorithmSet([algorithm].compactMap { $0 }))
        }
    }

    /// `verify_rs256` and similar: only the signature, with the algorithm in the function's name.
    private var algorithm: SignatureAlgorithm? {
        let name = call.drop { $0 != "_" }.dropFirst()
        return SignatureAlgorithm.all.first { $0.name.lowercased() == name }
    }

    /// A certificate is a container for its key, as in OPA; a secret is only for HMAC.
    private var keys: Keys {
        if let secret = constraints["secret"] as? String { return Keys(secret: Array(secret.utf8)) }
        if let key, call.contains("_hs") { return Keys(secret: Array(key.utf8)) }
        return Keys(document: Array((constraints["cert"] as? String ?? key ?? "").utf8))
    }

    /// Checks only the form. A reader of claims ignores a JWE's header, so the verifier judges that one case.
    private var decoded: Judgement {
        do throws(VerificationError) {
            let claims = try UnverifiedClaims(reading: token.utf8.span)
            if claims.header["enc"] != nil { return Judgement(jws: token, TokenForge(.hs256).keys) }
            return Judgement("valid", Array(("{" + Self.members(claims.value) + "}").utf8))
        } catch {
            return Judgement(error.code.name)
        }
    }

    private static func members(_ value: borrowing JSONValue) -> String {
        var members: [String] = []
        value.forEachMember { name, value in members.append("\"\(name.string)\":\"\(value.string?.string ?? "")\"") }
        return members.joined(separator: ",")
    }

    /// RFC 7519 section 5.2: a token with `cty: JWT` contains another one. OPA unwraps it; here the caller must.
    private func verified(_ token: String) -> Judgement {
        let header = ConformanceInput.header(token.prefix { $0 != "." })
        guard header["cty"] as? String == "JWT" else { return Judgement(jwt: token, keys, policy, now: time) }
        #expect(Judgement(jwt: token, keys, policy, now: time).verdict == "type_mismatch", "\(id)")
        let outer = Judgement(jws: token, keys)
        guard outer.verdict == "valid", let inner = outer.payload else { return outer }
        return verified(String(decoding: inner, as: UTF8.self))
    }

    private var policy: ClaimsPolicy {
        var policy = ClaimsPolicy.lenient
        policy.leeway = .zero
        if constraints["alg"] != nil { policy.algorithms = ConformanceInput.algorithms(constraints) }
        policy.issuers = [constraints["iss"] as? String].compactMap { $0 }
        policy.audiences = [constraints["aud"] as? String].compactMap { $0 }
        if policy.audiences.isEmpty { policy.checks = [{ claims, _ in claims.audience == nil ? .accepted : .refused(.audienceMismatch) }] }
        return policy
    }

    /// Nanoseconds; if absent, the machine's clock.
    private var time: NumericDate? {
        guard let time = constraints["time"] as? NSNumber else { return nil }
        let (seconds, nanoseconds) = time.int64Value.quotientAndRemainder(dividingBy: 1_000_000_000)
        return NumericDate(seconds: seconds, nanoseconds: UInt32(nanoseconds))
    }
}

extension TokenForge {
    fileprivate var keys: Keys { .loaded(keySet) }
}
