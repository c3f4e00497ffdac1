import JWTCore
import JWTTestSupport
import Testing

/// Dates at, just before and just after the time at which the verdict changes.
struct ClaimsPolicyTimeTests {
    /// One boundary: the verdict changes at `turning`.
    struct Boundary: CustomTestStringConvertible {
        var claims = ""
        var turning: Int64 = 0
        var before = ""
        var after = ""
        var leeway: Int64 = 60
        var maximumAge: Int64?
        var maximumAuthenticationAge: Int64?
        var testDescription: String { "\(claims) with leeway \(leeway) turns at \(turning)" }

        var policy: ClaimsPolicy {
            var policy = ClaimsPolicy.lenient
            policy.leeway = .seconds(leeway)
            policy.maximumAge = maximumAge.map { .seconds($0) }
            policy.maximumAuthenticationAge = maximumAuthenticationAge.map { .seconds($0) }
            return policy
        }
    }

    private static let boundaries: [Boundary] = boundaries(leeway: 0) + boundaries(leeway: 60) + boundaries(leeway: 3_600)

    static func boundaries(leeway: Int64) -> [Boundary] {
        let latest: Int64 = 253_402_300_799
        let now = leeway == 0 ? "issued_in_future" : "valid"
        func row(
            _ claims: String, _ turning: Int64, _ before: String, _ after: String,
            maximumAge: Int64? = nil, maximumAuthenticationAge: Int64? = nil
        ) -> Boundary {
            Boundary(
                claims: claims, turning: turning, before: before, after: after, leeway: leeway, maximumAge: maximumAge,
                maximumAuthenticationAge: maximumAuthenticationAge)
        }
        return [
            row(#"{"exp":1000}"#, 1_000 + leeway, "valid", "expired"),
            row(#"{"exp":1e3}"#, 1_000 + leeway, "valid", "expired"),
            row(#"{"exp":0}"#, leeway, "valid", "expired"),
            row(#"{"exp":-1000}"#, leeway - 1_000, "valid", "expired"),
            row(#"{"exp":253402300799}"#, latest + leeway, "valid", "expired"),
            row(#"{"nbf":1000}"#, 1_000 - leeway, "not_yet_valid", "valid"),
            row(#"{"nbf":9999999999}"#, 9_999_999_999 - leeway, "not_yet_valid", "valid"),
            row(#"{"exp":99999999999}"#, 99_999_999_999 + leeway, "valid", "expired"),
            row(#"{"nbf":99999999999}"#, 99_999_999_999 - leeway, "not_yet_valid", "valid"),
            row(#"{"iat":100000000000}"#, 100_000_000_000 - leeway, "issued_in_future", "valid"),
            row(#"{"iat":1000}"#, 1_000 - leeway, "issued_in_future", "valid"),
            row(#"{"iat":1000}"#, 1_300 + leeway, "valid", "too_old", maximumAge: 300),
            row(#"{"iat":1000}"#, 1_000 + leeway, now, "too_old", maximumAge: 0),
            row(#"{"auth_time":1000}"#, 1_300 + leeway, "valid", "authentication_too_old", maximumAuthenticationAge: 300),
            row(#"{"auth_time":1000}"#, 1_000 - leeway, "issued_in_future", "valid", maximumAuthenticationAge: 300),
            row(#"{"auth_time":1000}"#, 1_000 - leeway, "valid", "valid"),
            row(#"{"auth_time":1000}"#, 1_000 + leeway, now, "authentication_too_old", maximumAuthenticationAge: 0),
        ]
    }

    @Test(arguments: boundaries)
    func verdictsTurnExactlyThere(boundary: Boundary) {
        let verifier = Forges.hs256.verifier(boundary.policy), token = Forges.hs256.token(boundary.claims)
        #expect(verifier.verdict(token, now: NumericDate(seconds: boundary.turning - 1)) == boundary.before)
        #expect(verifier.verdict(token, now: NumericDate(seconds: boundary.turning - 1, nanoseconds: 999_999_999)) == boundary.before)
        #expect(verifier.verdict(token, now: NumericDate(seconds: boundary.turning)) == boundary.after)
        #expect(verifier.verdict(token, now: NumericDate(seconds: boundary.turning, nanoseconds: 1)) == boundary.after)
        #expect(verifier.verdict(token, now: NumericDate(seconds: boundary.turning + 1)) == boundary.after)
    }

    @Test(arguments: [
        (#"{"exp":1000.5}"#, "valid", "expired"), (#"{"exp":1000.500000000999}"#, "valid", "expired"),
        (#"{"nbf":1000.5}"#, "not_yet_valid", "valid"), (#"{"iat":1000.5}"#, "issued_in_future", "valid"),
    ])
    func fractionsOfASecondCount(claims: String, before: String, after: String) {
        let verifier = Forges.hs256.verifier(Boundary(leeway: 0).policy)
        let token = Forges.hs256.token(claims)
        #expect(verifier.verdict(token, now: NumericDate(seconds: 1_000, nanoseconds: 499_999_999)) == before)
        #expect(verifier.verdict(token, now: NumericDate(seconds: 1_000, nanoseconds: 500_000_000)) == after)
    }

    /// The longest leeway accepts every date and never overflows.
    @Test(arguments: [
        #"{"exp":-253402300799}"#, #"{"exp":0}"#, #"{"nbf":253402300799}"#, #"{"iat":253402300799}"#, #"{"iat":0,"auth_time":0}"#,
        #"{"iat":-253402300799,"auth_time":-253402300799}"#,
    ])
    func theLongestLeewayForgivesEverything(claims: String) {
        for age in [nil, 0, 300, Int64.max] {
            let boundary = Boundary(leeway: .max, maximumAge: age, maximumAuthenticationAge: age)
            let verdict = Forges.hs256.verifier(boundary.policy).verdict(Forges.hs256.token(claims))
            #expect(verdict == (age != nil && !(claims.contains("iat") && claims.contains("auth_time")) ? "missing_claim" : "valid"))
        }
    }

    @Test(arguments: [Int64.max, Int64.max - 1, 253_402_300_800])
    func theLongestAgeIsNeverReached(age: Int64) {
        let boundary = Boundary(maximumAge: age, maximumAuthenticationAge: age)
        #expect(Forges.hs256.verifier(boundary.policy).verdict(Forges.hs256.token(#"{"iat":0,"auth_time":0}"#)) == "valid")
    }

    @Test(
        arguments: [
            NumericDate(seconds: .min), NumericDate(seconds: .max), NumericDate(seconds: .max, nanoseconds: 999_999_999),
        ],
        [
            0, 60, Int64.max,
        ])
    func anyMomentMayBeNow(now: NumericDate, leeway: Int64) {
        let boundary = Boundary(leeway: leeway)
        let token = Forges.hs256.token(#"{"exp":1700003600,"nbf":1700000000}"#)
        let verdict = Forges.hs256.verifier(boundary.policy).verdict(token, now: now)
        // At the end of the range everything has expired, whatever the leeway; at its beginning even the longest does not reach 1970.
        #expect(verdict == (now.seconds == .max ? "expired" : "not_yet_valid"))
    }
}
