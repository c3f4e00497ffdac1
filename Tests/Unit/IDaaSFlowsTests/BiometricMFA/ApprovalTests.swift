import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct ApprovalTests {
    static let replies: [(ScriptedTenant.Reply, String)] = [
        (.data(PhoneTenant.request), "0"), (.data(#"{"random":"231123","clientId":"qwwmx651","clientName":"华为云"}"#), "0"),
        (.data("null"), "2"), (.data(#"{"random":""}"#), "2"), (.data(#"{"random":"  "}"#), "2"), (.data("{}"), "2"),
        (.data("null", message: "\"no policy\""), "1"), (.data("null", code: "COM.0217"), "COM.0217"),
        (.refusal("IDAAS.SDK.MFA.1005"), "IDAAS.SDK.MFA.1005"), (.unreachable, "1"), (.json("{}"), "1"),
    ]

    @Test(arguments: replies)
    func aPendingRequestIs0NoneIs2AndAMessageIsAnError(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let phone = try PhoneTenant()
        phone.server.answer(WirePath.bioPending, reply)
        #expect(await phone.biometrics.pending(idToken: Tenant.usualToken).legacyCode == code)
    }

    @Test
    func aRequestHasTheServersRecord() async throws {
        let request = try await PhoneTenant().pending()
        #expect(request.random == "r-1" && request.clientID == "shop" && request.clientName == "华为云" && request.region == "192.0.2.0/24")
        #expect(request.createdAt == 1_700_000_050 && request.expiresAt == Tenant.start + 90 && !request.needsMatchCode)
        #expect(!request.isExpired(at: Tenant.start + 89) && request.isExpired(at: Tenant.start + 90))
    }

    @Test(arguments: ApprovalDecision.allCases, SignatureVersion.allCases)
    func anAnswerIsSignedWithItsDecision(_ decision: ApprovalDecision, _ version: SignatureVersion) async throws {
        let phone = try await PhoneTenant { $0.signatureVersion = version }.bound()
        #expect(await phone.answer(try await phone.pending(), decision).legacyCode == "0")
        let text = version == .statement ? "IDAAS-BIO-1 r-1 shop u-1 \(decision.rawValue) biometric" : "r-1"
        #expect(phone.record.withLock { $0.accepted.last } == "respond \(text)")
        let body = try #require(phone.last(WirePath.bioRespond))
        #expect(body.body("random") == "r-1" && body.body("decision") == decision.rawValue && body.body("match_code") == nil)
        #expect(body.body("sig_version") == "\(version.rawValue)" && body.body("uv") == "biometric")
        #expect(phone.verifier.reasons.last == (decision == .approve ? .approve(clientName: "华为云") : .deny(clientName: "华为云")))
    }

    static let answers: [(ScriptedTenant.Reply, String)] = [
        (.data("true"), "0"), (.data("false"), "2"), (.data("null"), "2"), (.refusal("IDAAS.SDK.MFA.1006"), "IDAAS.SDK.MFA.1006"),
        (.refusal("IDAAS.SDK.MFA.1007"), "IDAAS.SDK.MFA.1007"), (.refusal("IDAAS.SDK.MFA.1012"), "IDAAS.SDK.MFA.1012"), (.unreachable, "1"),
    ]

    @Test(arguments: answers)
    func anAnswerIs0Or2OrTheServersCode(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let phone = try await PhoneTenant().bound()
        phone.server.answer(WirePath.bioRespond, reply)
        #expect(await phone.answer(try await phone.pending()).legacyCode == code)
    }

    @Test(arguments: BiometricFailures.documented)
    func aUserWhoIsNotVerifiedAnswersNothingAndThatIs2(
        _ row: (BiometricFailure, code: String, english: String, chinese: String)
    ) async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        phone.verifier.set(failure: row.0)
        let outcome = await phone.answer(request)
        #expect(outcome.legacyCode == "2" && outcome.failure?.reason == .biometric(row.0))
        #expect(phone.server.requests(to: WirePath.bioRespond).isEmpty)
    }

    static let digits: [(String?, String)] = [
        ("47", "0"), (" 47 ", "0"), (nil, "1"), ("", "1"), ("4", "1"), ("477", "1"), ("4a", "1"), ("４７", "1"),
    ]

    @Test(arguments: digits)
    func aMatchCodeIsTwoDigitsAndAskedForBeforeTheUserIsVerified(_ typed: String?, code: String) async throws {
        let phone = try await PhoneTenant().bound()
        phone.record.withLock { $0.pending = PhoneTenant.request.replacing("}", with: #","match_required":true}"#) }
        let request = try await phone.pending()
        #expect(request.needsMatchCode)
        #expect(await phone.answer(request, matchCode: typed).legacyCode == code)
        #expect(phone.last(WirePath.bioRespond)?.body("match_code") == (code == "0" ? "47" : nil))
        #expect(phone.verifier.reasons.count == (code == "0" ? 2 : 1))
        // A denial compares nothing.
        #expect(await phone.answer(request, .deny).legacyCode == "0")
    }

    /// The server's word, or a request's, does not choose the version.
    @Test(arguments: [#""sig_version":0"#, #""sig_versions":[0]"#, #""version":"0""#])
    func noReplyLowersTheVersion(_ member: String) async throws {
        let phone = try await PhoneTenant().bound()
        phone.record.withLock { $0.pending = PhoneTenant.request.replacing("{", with: "{\(member),") }
        #expect(await phone.answer(try await phone.pending()).legacyCode == "0")
        #expect(phone.last(WirePath.bioRespond)?.body("sig_version") == "1")
    }

    /// A challenge with line feeds would be a statement of another kind, and one in a client's id would move its parts.
    static let challenges = [#""random":"IDAAS-BIO-1\nr\nshop\nu-1\napprove\nbiometric""#, #""random":"r-1","clientId":"shop\nu-2""#]

    @Test(arguments: SignatureVersion.allCases, challenges)
    func aChallengeThatIsNoLineIsNotSigned(_ version: SignatureVersion, _ members: String) async throws {
        let phone = try await PhoneTenant { $0.signatureVersion = version }.bound()
        phone.record.withLock { $0.pending = "{\(members)}" }
        let request = try await phone.pending()
        #expect(await phone.answer(request).legacyCode == "1")
        #expect(phone.verifier.reasons == [.bind] && phone.server.requests(to: WirePath.bioRespond).isEmpty)
    }

    @Test
    func aChallengeThatIsNoLineDoesNotBind() async throws {
        let phone = try PhoneTenant()
        phone.server.answer(WirePath.bioChallenge, .data(#"{"challenge":"IDAAS-BIO-1\nr-1\nshop\nu-1\napprove\nbiometric"}"#))
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == "1")
        #expect(phone.verifier.reasons.isEmpty)
    }

    @Test
    func aTextThatIsNoLineIsNotSigned() async throws {
        let phone = try await PhoneTenant().bound()
        let statement = "IDAAS-BIO-1\nr-1\nshop\nu-1\napprove\nbiometric"
        #expect(await phone.biometrics.sign(statement, userID: "jane").legacyCode == "1")
        #expect(await phone.biometrics.sign("", userID: "jane").legacyCode == "1")
        #expect(phone.verifier.reasons == [.bind])
    }

    @Test
    func aRequestIsAnsweredOnlyByTheUserWhoWasAsked() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        let other = Tenant.idToken(["sub": "u-2", "id": "u-2"])
        #expect(await phone.answer(request, userID: "jane", idToken: other).legacyCode == "IDAAS.SDK.MFA.1006")
        #expect(phone.server.requests(to: WirePath.bioRespond).isEmpty && phone.verifier.reasons == [.bind])
    }

    @Test
    func aSignatureForAnotherRequestUserOrApplicationIsRefused() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        let kept = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        for text in [kept.replacing(#""r-1""#, with: #""r-2""#), kept.replacing(#""shop""#, with: #""bank""#)] {
            let changed = try JSONDecoder().decode(PendingApproval.self, from: Data(text.utf8))
            #expect(changed != request)
            #expect(await phone.answer(changed).legacyCode == "IDAAS.SDK.MFA.1009")
        }
        _ = await phone.biometrics.publicKey(userID: "john")
        #expect(await phone.answer(request, userID: "john").legacyCode == "IDAAS.SDK.MFA.1009")
        #expect(await phone.answer(request, userID: "nobody").legacyCode == "101")
    }

    @Test
    func anAnswerWorksOnce() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        #expect(await phone.answer(request).legacyCode == "0")
        #expect(await phone.biometrics.pending(idToken: Tenant.usualToken).legacyCode == "2")
        #expect(phone.server.requests(to: WirePath.bioRespond).count == 1)
    }

    @Test
    func theLogHasNoTokenNoChallengeAndNoSignature() async throws {
        let lines = Guarded([String]())
        let phone = try await PhoneTenant { $0.log = FlowLog { line in lines.withLock { $0.append(line) } } }.bound()
        _ = await phone.answer(try await phone.pending(), matchCode: "47")
        let log = lines.withLock { $0 }.joined(separator: "\n")
        #expect(log.contains(WirePath.bioRespond))
        let signature = try #require(phone.last(WirePath.bioRespond)?.body("signature"))
        for secret in [Tenant.usualToken, "r-1", "c-1", signature] { #expect(!log.contains(secret), "\(secret)") }
    }
}
