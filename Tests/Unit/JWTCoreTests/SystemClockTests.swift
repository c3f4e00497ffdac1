import JWTCore
import JWTTestSupport
import Locks
import Testing

/// The machine's clock, read without a moment from the caller. Verdicts are those of the exact time, to the nanosecond, although most of them
/// are made from the kernel's last tick, which is milliseconds earlier.
struct SystemClockTests {
    private static func policy(maximumAge: Int64? = nil, maximumAuthenticationAge: Int64? = nil) -> ClaimsPolicy {
        var policy = ClaimsPolicy.lenient
        policy.leeway = .zero
        policy.maximumAge = maximumAge.map { .seconds($0) }
        policy.maximumAuthenticationAge = maximumAuthenticationAge.map { .seconds($0) }
        return policy
    }

    /// `seconds` after `date`, as a number of JSON.
    private static func text(_ date: NumericDate, _ seconds: Int64 = 0) -> String {
        let fraction = String(date.nanoseconds)
        return "\(date.seconds + seconds).\(String(repeating: "0", count: 9 - fraction.count))\(fraction)"
    }

    /// A date that has just come, or just passed.
    @Test(
        arguments: [
            ("exp", 0, policy(), "expired"), ("nbf", 0, policy(), "valid"), ("iat", 0, policy(), "valid"),
            ("iat", -10, policy(maximumAge: 10), "too_old"),
            ("auth_time", -10, policy(maximumAuthenticationAge: 10), "authentication_too_old"),
            ("auth_time", 0, policy(maximumAuthenticationAge: 10), "valid"),
        ] as [(String, Int64, ClaimsPolicy, String)])
    func theExactTimeDecides(claim: String, seconds: Int64, policy: ClaimsPolicy, expected: String) {
        let verifier = Forges.ed25519.verifier(policy)
        for _ in 0..<20 {
            let token = Forges.ed25519.token("{\"\(claim)\":\(Self.text(SystemClock().now, seconds))}")
            #expect(verifier.verdict(token, now: nil) == expected)
        }
    }

    @Test
    func theExactTimeDecidesForACachedToken() throws {
        let verifier = Forges.ed25519.verifier(Self.policy()).caching(in: VerifiedTokenCache(budget: 1 << 20))
        for expiry in [Int64(3), 2, 1] {
            let token = Forges.ed25519.token("{\"exp\":\(Self.text(SystemClock().now, expiry))}")
            for _ in 0..<4 { #expect(verifier.verdict(token, now: nil) == "valid") }
        }
        // Valid, cached, and then expired at the very time that is given.
        let now = SystemClock().now, expired = Forges.ed25519.token("{\"exp\":\(Self.text(now))}")
        for _ in 0..<3 { #expect(verifier.verdict(expired, now: now.advanced(by: .seconds(-5))) == "valid") }
        #expect(verifier.verdict(expired, now: nil) == "expired")
    }

    /// Before, at and after a whole second: the verdict is that of a time between the two readings around it.
    @Test(arguments: ["exp", "nbf", "iat"])
    func theVerdictIsThatOfATimeInBetween(claim: String) {
        let verifier = Forges.ed25519.verifier(Self.policy())
        for offset in Int64(-3)...3 {
            let token = Forges.ed25519.token("{\"\(claim)\":\(SystemClock().now.seconds + offset)}")
            let before = SystemClock().now, verdict = verifier.verdict(token, now: nil), after = SystemClock().now
            #expect([verifier.verdict(token, now: before), verifier.verdict(token, now: after)].contains(verdict))
        }
    }

    @Test
    func aCheckOfOnesOwnGetsTheExactTime() {
        let asked = Guarded<[NumericDate]>([])
        var policy = Self.policy()
        policy.checks = [
            { _, now in
                asked.withLock { $0.append(now) }
                return .accepted
            }
        ]
        let verifier = Forges.ed25519.verifier(policy)
        for _ in 0..<20 {
            let before = SystemClock().now
            #expect(verifier.verdict(Forges.ed25519.token("{}"), now: nil) == "valid")
            #expect(asked.withLock { $0.last }.map { $0 >= before && $0 <= SystemClock().now } == true)
        }
    }
}
