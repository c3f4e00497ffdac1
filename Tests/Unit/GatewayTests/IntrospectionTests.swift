import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Opaque tokens, which the authorization server of their provider judges (RFC 7662).
struct IntrospectionTests {
    @Test func anActiveTokenIsAcceptedWithTheClaimsOfTheAnswer() async throws {
        let test = try await IntrospectionScene(
            answering: IntrospectionScene.active(#","cnf":{"jkt":"0ZcO"}"#),
            {
                $0.providers[0].claimHeaders = [
                    ClaimHeader("x-user", path: [.member("sub")]), ClaimHeader("x-key", path: [.member("cnf"), .member("jkt")]),
                ]
                $0.providers[0].payloadHeader = "x-payload"
                $0.policies[0].scopes = ["read"]
                $0.keepsSubjects = true
            })
        let decision = await test.scene.core.decide(Scene.bearer(IntrospectionScene.opaque))
        #expect(decision.word == "allowed" && decision.field("x-user") == "u1" && decision.field("x-key") == "0ZcO")
        #expect(decision.admission?.subject == "u1")
        let payload = try #require(decision.field("x-payload"))
        #expect(try Base64URL.bytes(payload.utf8.span) == Array(IntrospectionScene.active(#","cnf":{"jkt":"0ZcO"}"#).utf8))
    }

    /// RFC 7662 section 2.1, and RFC 6749 section 2.3.1 for the client.
    @Test(arguments: [IntrospectionTerms.Authentication.basic, .post])
    func theQuestionHasTheTokenAndTheClient(authentication: IntrospectionTerms.Authentication) async throws {
        let test = try await IntrospectionScene(terms: { $0.authentication = authentication })
        #expect(await test.verdict("a+b/c=~") == "allowed")
        let question = try #require(test.questions.first)
        #expect(question.method == "POST" && question.first("Content-Type") == "application/x-www-form-urlencoded")
        #expect(question.first("Accept") == "application/json" && question.timeLimit == .seconds(2))
        let form = String(decoding: question.body, as: UTF8.self), token = "token=a%2Bb%2Fc%3D%7E&token_type_hint=access_token"
        switch authentication {
        case .basic:
            #expect(form == token)
            #expect(question.first("Authorization") == "Basic \(Base64.text("gateway:s3cret%2F%2B%20%25".utf8))")
        case .post:
            #expect(form == "\(token)&client_id=gateway&client_secret=s3cret%2F%2B%20%25")
            #expect(question.first("Authorization") == nil)
        }
    }

    /// The policy of the provider judges the claims of an answer as it judges those of a JWT.
    @Test(arguments: [
        (IntrospectionScene.active(), "allowed"), (IntrospectionScene.inactive, "401 inactive_token"),
        (IntrospectionScene.active(issuer: "https://b.example"), "401 issuer_mismatch"),
        (IntrospectionScene.active(audience: "other"), "401 audience_mismatch"),
        (IntrospectionScene.active(exp: 1_700_000_000), "401 expired"),
        (IntrospectionScene.active(#","nbf":1700001000"#), "401 not_yet_valid"),
        (IntrospectionScene.active(#","iat":1700001000"#), "401 issued_in_future"),
        (#"{"active":true}"#, "401 missing_claim"), (#"{"active":true,"iss":"https://a.example","aud":"api"}"#, "401 missing_claim"),
        (#"{"active":false,"iss":"https://a.example","aud":"api","exp":1700003600}"#, "401 inactive_token"),
    ])
    func thePolicyJudgesTheAnswer(answer: String, verdict: String) async throws {
        let test = try await IntrospectionScene(answering: answer)
        #expect(await test.verdict() == verdict)
        // The second time the answer is there.
        #expect(test.verdictNow() == verdict)
        #expect(test.questions.count == 1)
    }

    @Test func aScopeThatTheAnswerLacksIsMissing() async throws {
        let test = try await IntrospectionScene(.provider("a"), { $0.policies[0].scopes = ["read", "admin"] })
        #expect(await test.verdict() == "403 insufficient_scope")
    }

    @Test func aRevocationAppliesToAnActiveToken() async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict() == "allowed")
        test.scene.core.revocations.replace(RevocationList([RevocationList.Entry(issuer: "https://a.example", .subject("u1"))]))
        #expect(test.verdictNow() == "401 revoked")
    }

    /// A JWT is verified here, and is never shown to the server. What is no JWT is never verified.
    @Test(arguments: [
        (Scene.token(), "allowed"), (Scene.token("b"), "401 issuer_mismatch"), ("eyJhbGciOiJub25lIn0.e30.", "401 unsecured_token"),
        ("ey.J.x", "401 invalid_base64url"), ("eyJhbGciOiJkaXIifQ.a.b.c.d", "401 encrypted_token"),
    ])
    func whatLooksLikeAJWTIsNotShown(token: String, verdict: String) async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict(token) == verdict, "\(token)")
        #expect(test.questions.isEmpty)
    }

    @Test(arguments: ["a.b.c", "v1.eyJ.x", "eyJ", "eyJ.x", "ezz.zz.z.z", "x"])
    func whatDoesNotIsShown(token: String) async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict(token) == "allowed", "\(token)")
        #expect(test.questions.count == 1)
    }

    @Test func aSettingShowsJWTsToo() async throws {
        let test = try await IntrospectionScene(terms: { $0.takesJWT = true })
        #expect(await test.verdict(Scene.token()) == "allowed")
        #expect(test.questions.count == 1)
    }

    @Test func withoutTermsAnOpaqueTokenIsMalformed() async throws {
        let scene = try await Scene(Scene.configuration())
        #expect(await scene.core.decide(Scene.bearer(IntrospectionScene.opaque)).word == "401 malformed_token")
        #expect(scene.core.introspections.isEmpty)
    }

    @Test(arguments: [
        ("a b", "401 malformed_token"), ("a\u{7f}", "401 malformed_token"), ("\u{e9}", "401 malformed_token"),
        (String(repeating: "x", count: 16_385), "401 token_too_large"),
    ])
    func whatNoTokenCanBeIsNotShown(token: String, verdict: String) async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict(token) == verdict)
        #expect(test.questions.isEmpty)
    }

    // Hostile and faulty answers

    @Test(arguments: [
        "", "[]", "true", "null", "{", #"{"active":true"#, #"{"active":"true"}"#, #"{"active":1}"#, #"{"active":null}"#, "{}",
        #"{"Active":true}"#, #"{"active":false,"active":true}"#, #"{"active":true,"\u0061ctive":false}"#,
        #"[{"active":true}]"#, #"{"active":true} {"active":true}"#, #"{"active":true,"exp":"1700003600"}"#,
        #"{"active":true,"iss":1}"#, #"{"active":true,"aud":{"a":1}}"#, #"{"active":true,"sub":["u1"]}"#,
        #"{"active":true,"a":"# + String(repeating: "[", count: 17) + String(repeating: "]", count: 17) + "}",
        #"{"active":true,"a":"\#(String(repeating: "x", count: 8_193))"}"#,
        #"{"active":true,"a":"\#(String(repeating: " ", count: 16_384))"}"#,
        "{\"active\":true,\(( 0..<256).map { "\"m\($0)\":0" }.joined(separator: ","))}", "<html></html>",
        #"{"active":true,"a":"\ud800"}"#,
    ])
    func anAnswerThatIsNoneIsRefused(answer: String) async throws {
        let test = try await IntrospectionScene(answering: answer)
        #expect(await test.verdict() == "503 invalid_introspection", "\(answer.prefix(80))")
    }

    @Test(arguments: [
        "text/html", "application/jwt", "application/token-introspection+jwt", "application/json+x", "", "x application/json",
    ])
    func anotherMediaTypeIsRefused(type: String) async throws {
        let test = try await IntrospectionScene(answering: nil)
        test.answer(IntrospectionScene.active(), type: type)
        #expect(await test.verdict() == "503 invalid_introspection")
        #expect(test.status?.lastFailure == "media_type")
    }

    @Test(arguments: ["application/json;charset=utf-8", "Application/JSON", "application/json ; charset=UTF-8"])
    func parametersOfTheMediaTypeAreIgnored(type: String) async throws {
        let test = try await IntrospectionScene(answering: nil)
        test.answer(IntrospectionScene.active(), type: type)
        #expect(await test.verdict() == "allowed")
    }

    @Test(arguments: [201, 204, 301, 400, 401, 403, 404, 429, 500, 503])
    func withoutAnAnswerTheTokenIsRefused(status: Int) async throws {
        let test = try await IntrospectionScene(answering: nil)
        test.scene.transport.answer(IntrospectionScene.endpoint, status: status)
        let denial = await test.scene.core.decide(Scene.bearer(IntrospectionScene.opaque)).denial
        #expect(denial?.reason == .introspectionUnavailable && denial?.status == 503 && denial?.retryAfter == .seconds(1))
        #expect(denial?.challenge == nil)
        #expect(test.status?.lastFailure == "status_\(status)")
    }

    @Test func anInactiveTokenIsChallenged() async throws {
        let test = try await IntrospectionScene(answering: IntrospectionScene.inactive)
        let denial = await test.scene.core.decide(Scene.bearer(IntrospectionScene.opaque)).denial
        #expect(denial?.challenge == #"Bearer error="invalid_token", error_description="the token is not active""#)
    }

    @Test func aSecretThatIsGoneIsAnOutage() async throws {
        let folder = try TemporaryFolder(), path = try folder.write("secret", "abc")
        let test = try await IntrospectionScene(terms: { $0.secretFile = path })
        _ = try folder.write("secret", " \n")
        #expect(await test.verdict() == "503 introspection_unavailable")
        #expect(test.status?.lastFailure == "secret_unavailable" && test.questions.isEmpty)
        _ = try folder.write("secret", "abc")
        test.scene.clock.advance(by: .seconds(1))
        #expect(await test.verdict() == "allowed")
    }

    @Test func nothingThatIsWrittenHasTheToken() async throws {
        let test = try await IntrospectionScene(answering: IntrospectionScene.inactive)
        let facts = Scene.bearer("secret-token-text")
        let decision = await test.scene.core.decide(facts)
        #expect(!"\(test.scene.core.explain(facts)) \(decision)".contains("secret-token-text"))
        #expect("\(test.scene.core.explain(facts))".contains("code=inactive_token source=authorization"))
    }

    // Several providers

    @Test func eachProviderAsksItsOwnServer() async throws {
        let folder = try TemporaryFolder(), secret = try folder.write("secret", "abc")
        let test = try await IntrospectionScene(
            .all([.provider("a"), .provider("b")]),
            {
                $0.providers[1].sources = [.header(name: "x-token", prefix: "")]
                $0.providers[1].introspection = IntrospectionTerms(clientID: "gateway", secretFile: secret)
                $0.providers[1].introspection?.endpoint = "https://b.example/introspect"
            })
        test.scene.transport.answer(
            "https://b.example/introspect", IntrospectionScene.active(issuer: "https://b.example"),
            fields: [HeaderField("Content-Type", "application/json")])
        let facts = Scene.request([("Authorization", "Bearer one"), ("x-token", "two")])
        #expect(await test.scene.core.decide(facts).word == "allowed")
    }

    @Test func aRequirementThatAllowsFailuresAdmitsATokenThatIsNotActive() async throws {
        let test = try await IntrospectionScene(.any([.provider("a"), .allowFailed]), answering: IntrospectionScene.inactive)
        #expect(await test.verdict() == "waived inactive_token")
    }

    // Configuration

    @Test func aProviderWithTenantsCannotIntrospect() async throws {
        var tenant = Scene.provider("b").issuer
        tenant.isRequired = false
        let fault = await #expect(throws: ConfigurationFault.self) {
            try await IntrospectionScene(
                .provider("a"),
                {
                    $0.providers[0].tenants = [tenant]
                    $0.providers.removeLast()
                })
        }
        #expect(fault?.code == .introspectionOfTenants)
    }

    @Test(arguments: [
        "", "https://", "http://a.example/introspect", "a.example/introspect", "https://user@a.example/i", "https://a.example/i#f",
        "ftp://a/i",
    ])
    func anEndpointThatIsNoneIsAFault(endpoint: String) async throws {
        let fault = await #expect(throws: ConfigurationFault.self) { try await IntrospectionScene(terms: { $0.endpoint = endpoint }) }
        #expect(fault?.code == .invalidEndpoint)
    }

    @Test(arguments: ["", "a\nb", "\u{e9}", String(repeating: "x", count: 257)])
    func aClientThatIsNoneIsAFault(client: String) async throws {
        let fault = await #expect(throws: ConfigurationFault.self) { try await IntrospectionScene(terms: { $0.clientID = client }) }
        #expect(fault?.code == .invalidText)
    }
}
