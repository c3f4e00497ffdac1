import JWTCore
import JWTTestSupport
import Testing
import TokenStatus

struct StatusListErrorTests {
    /// Numbers and names never change: logs and metrics use them.
    @Test
    func numbersAndNamesAreStable() {
        let expected: [(UInt16, String)] = [
            (700, "token_refused"), (701, "missing_status_list"), (702, "invalid_status_list"), (703, "invalid_bits"),
            (704, "invalid_time_to_live"), (705, "invalid_encoding"), (706, "invalid_compression"), (707, "truncated_list"),
            (708, "trailing_bytes"), (709, "list_too_large"),
        ]
        let all = StatusListError.Code.all
        #expect(all.map(\.number) == expected.map(\.0) && all.map(\.name) == expected.map(\.1))
        #expect(Set(all.map(\.summary)).count == all.count)
    }

    @Test
    func noCodeIsOneOfTheVerifiers() {
        let verifiers = VerificationError.Code.all
        for code in StatusListError.Code.all { #expect(!verifiers.contains { $0.number == code.number || $0.name == code.name }) }
    }

    @Test(arguments: [
        (#"{"sub":"x","iat":1}"#, "token_refused: subject_mismatch: the token is about another subject [sub]"),
        (#"{"sub":"https://example.com/statuslists/1","iat":1}"#, "missing_status_list: the token has no status_list"),
    ])
    func aDescriptionHasTheCodeAndItsCause(claims: String, expected: String) {
        do throws(StatusListError) {
            let verifier = StatusListVerifier(keys: ListIssuer.forge.keySet)
            _ = try verifier.verify(ListIssuer.token(claims), uri: ListIssuer.uri, now: TokenForge.now)
            Issue.record("the list is accepted")
        } catch {
            #expect(error.description == expected)
            #expect(!error.isRetryable)
        }
    }
}
