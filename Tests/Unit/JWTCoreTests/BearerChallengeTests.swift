import JWTCore
import JWTTestSupport
import Testing

struct BearerChallengeTests {
    @Test(
        arguments: [
            (.expired, 401, #"Bearer realm="api", error="invalid_token", error_description="the token has expired""#),
            (
                .malformedToken, 401,
                #"Bearer realm="api", error="invalid_token", error_description="not a compact JWS of three parts""#
            ),
            (
                .authenticationTooOld, 401,
                #"Bearer realm="api", error="insufficient_user_authentication", "#
                    + #"error_description="the user authenticated too long ago""#
            ),
            (.keysUnavailable, 503, nil),
        ] as [(VerificationError.Code, Int, String?)])
    func aRefusalHasItsStatusAndChallenge(code: VerificationError.Code, status: Int, challenge: String?) {
        #expect(code.httpStatus == status)
        #expect(BearerChallenge(refusing: error(code), realm: "api")?.fieldValue == challenge)
    }

    /// An error with this code, as a verification throws it.
    private func error(_ code: VerificationError.Code) -> VerificationError { VerificationError(code) }

    @Test(
        arguments: [
            (BearerChallenge(), 401, "Bearer"), (BearerChallenge(realm: "api"), 401, #"Bearer realm="api""#),
            (BearerChallenge(.invalidRequest), 400, #"Bearer error="invalid_request""#),
            (
                BearerChallenge(.insufficientScope, realm: "api", scope: "read write"), 403,
                #"Bearer realm="api", error="insufficient_scope", scope="read write""#
            ),
        ])
    func aGatewayMakesItsOwn(challenge: BearerChallenge, status: Int, fieldValue: String) {
        #expect(challenge.httpStatus == status && challenge.fieldValue == fieldValue)
    }

    @Test(
        arguments: [
            (#"a"b\c"#, #"Bearer realm="a\"b\\c", error_description="a?b?c", scope="a?b?c""#),
            ("x\r\nA: b", #"Bearer realm="x??A: b", error_description="x??A: b", scope="x??A: b""#),
            ("é\u{7f}\0", #"Bearer realm="???", error_description="???", scope="???""#),
        ])
    func noTextEndsItsParameterOrTheField(text: String, fieldValue: String) {
        #expect(BearerChallenge(description: text, realm: text, scope: text).fieldValue == fieldValue)
    }

    /// RFC 6750 section 3 allows only these.
    @Test(arguments: VerificationError.Code.all)
    func everySummaryStandsInAChallengeAsItIs(code: VerificationError.Code) {
        guard let challenge = BearerChallenge(refusing: error(code)) else {
            #expect(code == .keysUnavailable)
            return
        }
        #expect(challenge.fieldValue.contains("error_description=\"\(code.summary)\""))
    }
}
