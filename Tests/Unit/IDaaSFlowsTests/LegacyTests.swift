import Dispatch
import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

/// Code written against the vendor's documents.
@Suite(TakesTurns()) struct LegacyTests {
    private let legacy = LegacyCalls()
    private let tenant: Tenant

    init() throws {
        let tenant = try Tenant()
        self.tenant = tenant
        BCIDACommonManager.sharedInstance().initWithSSLCerVerification(false).setLogEnabled(false)
        legacy.setUp(tenant, ScriptedSlider(.point(SliderPoint(x: 9))))
        tenant.server.answer(Path.captcha, .json(SliderTests.picture.replacing("KEY", with: "null")))
        tenant.server.answer(Path.verify, .json(#"{"captcha_token":"c-1"}"#))
        tenant.server.answer(Path.send, .json(""))
        tenant.server.answer(Path.login, Tenant.tokens())
    }

    @Test
    func areaCodesComeAsADictionary() async {
        tenant.server.answer(Path.areaCodes, .json(AreaCodeTests.document))
        let (code, data) = await legacy.called { BCIDAInternationalPhoneCodeManager.getInternaltionalAreaCodeWithCompletionHandler($0) }
        let dictionary = data.asAny as? [String: Any]
        let first = (dictionary?["phoneAreaCodeDefinitions"] as? [[String: Any]])?.first
        #expect(code == "0" && dictionary?["preferredAreaCode"] as? String == "CN" && first?["areaCode"] as? String == "86")
        #expect((first?["displayMapping"] as? [String: Any])?["en"] as? String == "China")
    }

    @Test
    func theSliderAndTheSMSAreOneCall() async {
        let call = { BCSMSLoginSlideVerifyCodeManager.startSlidingVerifyCodePageWithMobileNumber("13800000000", andWithResultHandler: $0) }
        #expect(await legacy.called(call).0 == "0")
        #expect(tenant.server.requests(to: Path.send).count == 1)
        tenant.server.answer(Path.send, .refusal("IDAAS.SDK.SMS.1008", "no SMS today"))
        #expect(await legacy.called(call) == ("IDAAS.SDK.SMS.1008", .text("no SMS today")))
        legacy.setUp(tenant, ScriptedSlider(.closed))
        #expect(await legacy.called(call) == ("105", .text("user canceled")))
    }

    @Test
    func aLoginHasBothTokens() async {
        let call = {
            BCLoginSMSManager.sharedInstance().loginsBySMSWithMobile(
                "+86-13800000000", andWithVerifyCode: "123456", andWithCompletionHandler: $0)
        }
        let (code, data) = await legacy.called(call)
        #expect(code == "0" && data.asAny as? [String: String] == ["session_token": "s-1", "id_token": Tenant.usualToken])
        tenant.server.answer(Path.login, .refusal("IDAAS.SDK.SMS.1005"))
        #expect(await legacy.called(call) == ("IDAAS.SDK.SMS.1005", .text("SMS verification code verification is incorrect")))
        tenant.server.answer(Path.login, .unreachable)
        #expect(await legacy.called(call).0 == "1")
    }

    static let verdicts: [(String, String)] = [
        (Tenant.idToken(), "0"), ("", "1"), ("abc", "103"), (Tenant.idToken(["exp": Tenant.start - 200]), "106"),
        (Tenant.idToken(["aud": "other"]), "107"), (Tenant.forge.token(header: #"{"alg":"ES256","kid":"nobody"}"#), "102"),
    ]

    @Test(arguments: verdicts)
    func verificationHasTheDocumentsCodes(_ token: String, code: String) async {
        let (seen, data) = await legacy.called { BCIDAIDTokenManager.sharedInstance().verifySignWithIdToken(token, andWithCallBack: $0) }
        #expect(seen == code)
        if code == "0" { #expect(data == .text("success")) }
    }

    @Test(arguments: [
        (KeyPool.forges[1].token(Tenant.claims(["exp": 5])), "0"), ("", "1"), ("abc", "102"), ("a.b.c", "102"),
    ])
    func userInformationIsReadWithoutVerification01Or102(_ token: String, code: String) async {
        let (seen, data) = await legacy.called {
            BCIDAIDTokenManager.sharedInstance().getUserInfoFromIdTokenWithIdToken(token, andWithCallBack: $0)
        }
        #expect(seen == code)
        guard code == "0" else { return }
        let claims = data.asAny as? [String: Any]
        #expect(claims?["userName"] as? String == "jane" && claims?["exp"] as? Int64 == 5 && claims?["email"] as? String == "")
    }

    @Test
    func aRefreshComesAsAJSONText() async throws {
        let call = { BCIDAIDTokenRefreshManager.sharedInstance().refreshIdTokenWithSessionToken("s-1", andWithCallBack: $0) }
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        // A token that only the program stored, then one that is in the store.
        for isStored in [false, true] {
            if isStored { try await tenant.logIn() }
            let (code, data) = await legacy.called(call)
            let text = try #require(data.asAny as? String)
            let reply = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(code == "0" && reply["session_token"] as? String == "s-2" && reply["id_token"] as? String == Tenant.usualToken)
            #expect(reply["expire"] as? Int == 604_800)
            #expect(try await tenant.store.contents().session?.sessionToken == (isStored ? "s-2" : nil))
        }
        tenant.server.answer(Path.refresh, .refusal("IDAAS.SDK.COMMON.1005"))
        #expect(await legacy.called(call).0 == "IDAAS.SDK.COMMON.1005")
        #expect(
            await legacy.called { BCIDAIDTokenRefreshManager.sharedInstance().refreshIdTokenWithSessionToken("", andWithCallBack: $0) }.0
                == "1")
    }

    @Test(arguments: [("", "client-1"), (Tenant.domain, ""), ("http://tenant.example", "c")])
    func withoutADomainOrAClientIdEveryCallIs1(_ domain: String, client: String) async {
        BCIDACommonManager.sharedInstance().initWithDomain(domain).initWithClientID(client)
        let codes = [
            await legacy.called { BCIDAIDTokenManager.sharedInstance().verifySignWithIdToken(Tenant.idToken(), andWithCallBack: $0) }.0,
            await legacy.called { BCIDAInternationalPhoneCodeManager.getInternaltionalAreaCodeWithCompletionHandler($0) }.0,
        ]
        #expect(codes == ["1", "1"] && tenant.server.requests.isEmpty)
    }

    @Test
    func unwantedVerificationOfCertificatesHindersNoCall() async {
        BCIDACommonManager.sharedInstance().initWithSSLCerVerification(false)
        let call = { BCIDAIDTokenManager.sharedInstance().verifySignWithIdToken(Tenant.idToken(), andWithCallBack: $0) }
        #expect(await legacy.called(call).0 == "0")
    }
}

/// The documented names, set up for a tenant, and what they call back with.
struct LegacyCalls {
    private let queue = DispatchQueue(label: "callbacks")
    private let mark = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: mark, value: true) }

    func setUp(_ tenant: Tenant, _ slider: ScriptedSlider, _ language: Language = .english) {
        BCIDACommonManager.sharedInstance().initWithDomain(Tenant.domain).initWithClientID("client-1").use(
            slider: slider, queue: queue, environment: { _ in tenant.environment }, configure: { $0.language = language })
    }

    /// The arguments of a callback, which is called once, on the queue.
    func called(_ call: (@escaping LegacyHandler) -> Void) async -> (String, LegacyData) {
        let calls = Guarded(0)
        let result = await withCheckedContinuation { continuation in
            call { code, data in
                #expect(DispatchQueue.getSpecific(key: mark) == true)
                // A second call would resume the continuation twice, which ends the process.
                calls.withLock { $0 += 1 }
                continuation.resume(returning: (code, data))
            }
        }
        queue.sync {}
        #expect(calls.withLock { $0 } == 1)
        return result
    }
}

/// One test at a time: the documented names have one configuration for the process.
struct TakesTurns: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        // A suite's own scope has no case, and its tests take the lock themselves.
        guard testCase != nil else { return try await function() }
        await Turn.legacy.take()
        defer { Turn.legacy.leave() }
        try await function()
    }
}
