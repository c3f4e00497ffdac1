import Dispatch
import Foundation
import IDaaSFlows
import JWKSTestSupport
import JWTTestSupport
import Testing

/// Code written against the vendor's documents.
@Suite(TakesTurns()) struct LegacyTests {
    private static let queue = DispatchQueue(label: "callbacks")
    private static let mark = DispatchSpecificKey<Bool>()
    private let tenant: Tenant
    private let slider: ScriptedSlider

    init() throws {
        Self.queue.setSpecific(key: Self.mark, value: true)
        let tenant = try Tenant(), slider = ScriptedSlider(.point(SliderPoint(x: 9)))
        self.tenant = tenant
        self.slider = slider
        BCIDACommonManager.sharedInstance().initWithDomain(Tenant.domain).initWithClientID("client-1").initWithSSLCerVerification(false)
            .setLogEnabled(false)
        set(up: slider)
        tenant.server.answer(Path.captcha, .json(SliderTests.picture.replacing("KEY", with: "null")))
        tenant.server.answer(Path.verify, .json(#"{"captcha_token":"c-1"}"#))
        tenant.server.answer(Path.send, .json(""))
        tenant.server.answer(Path.login, Tenant.tokens())
    }

    private func set(up slider: ScriptedSlider) {
        let tenant = tenant
        BCIDACommonManager.sharedInstance().use(
            slider: slider, queue: Self.queue,
            environment: { _ in
                FlowEnvironment(transport: tenant.server, keyTransport: tenant.documents, store: tenant.store, clock: tenant.clock)
            }, configure: { $0.language = .english })
    }

    /// What a callback is handed, once, on the queue.
    private func called(_ call: (@escaping LegacyHandler) -> Void) async -> (String, LegacyData) {
        let calls = Guarded(0)
        let result = await withCheckedContinuation { continuation in
            call { code, data in
                #expect(DispatchQueue.getSpecific(key: Self.mark) == true)
                // A second call would be a second resumption, which ends the process.
                calls.withLock { $0 += 1 }
                continuation.resume(returning: (code, data))
            }
        }
        Self.queue.sync {}
        #expect(calls.withLock { $0 } == 1)
        return result
    }

    @Test("Area codes come as a dictionary")
    func areaCodes() async {
        tenant.server.answer(Path.areaCodes, .json(AreaCodeTests.document))
        let (code, data) = await called { BCIDAInternationalPhoneCodeManager.getInternaltionalAreaCodeWithCompletionHandler($0) }
        let dictionary = data.asAny as? [String: Any]
        let first = (dictionary?["phoneAreaCodeDefinitions"] as? [[String: Any]])?.first
        #expect(code == "0" && dictionary?["preferredAreaCode"] as? String == "CN" && first?["areaCode"] as? String == "86")
        #expect((first?["displayMapping"] as? [String: Any])?["en"] as? String == "China")
    }

    @Test("The slider and the SMS are one call")
    func slide() async {
        let call = { BCSMSLoginSlideVerifyCodeManager.startSlidingVerifyCodePageWithMobileNumber("13800000000", andWithResultHandler: $0) }
        #expect(await called(call).0 == "0")
        #expect(tenant.server.requests(to: Path.send).count == 1)
        tenant.server.answer(Path.send, .refusal("IDAAS.SDK.SMS.1008", "no SMS today"))
        #expect(await called(call) == ("IDAAS.SDK.SMS.1008", .text("no SMS today")))
        set(up: ScriptedSlider(.closed))
        #expect(await called(call) == ("105", .text("user canceled")))
    }

    @Test("A login has both tokens")
    func login() async {
        let call = {
            BCLoginSMSManager.sharedInstance().loginsBySMSWithMobile(
                "+86-13800000000", andWithVerifyCode: "123456", andWithCompletionHandler: $0)
        }
        let (code, data) = await called(call)
        #expect(code == "0" && data.asAny as? [String: String] == ["session_token": "s-1", "id_token": Tenant.usualToken])
        tenant.server.answer(Path.login, .refusal("IDAAS.SDK.SMS.1005"))
        #expect(await called(call) == ("IDAAS.SDK.SMS.1005", .text("SMS verification code verification is incorrect")))
        tenant.server.answer(Path.login, .unreachable)
        #expect(await called(call).0 == "1")
    }

    static let verdicts: [(String, String)] = [
        (Tenant.idToken(), "0"), ("", "1"), ("abc", "103"), (Tenant.idToken(["exp": Tenant.start - 200]), "106"),
        (Tenant.idToken(["aud": "other"]), "107"), (Tenant.forge.token(header: #"{"alg":"ES256","kid":"nobody"}"#), "102"),
    ]

    @Test("Verification has the documents' codes", arguments: verdicts)
    func verification(_ token: String, code: String) async {
        let (seen, data) = await called { BCIDAIDTokenManager.sharedInstance().verifySignWithIdToken(token, andWithCallBack: $0) }
        #expect(seen == code)
        if code == "0" { #expect(data == .text("success")) }
    }

    @Test(
        "User information is read without verification: 0, 1 or 102",
        arguments: [
            (KeyPool.forges[1].token(Tenant.claims(["exp": 5])), "0"), ("", "1"), ("abc", "102"), ("a.b.c", "102"),
        ])
    func userInfo(_ token: String, code: String) async {
        let (seen, data) = await called {
            BCIDAIDTokenManager.sharedInstance().getUserInfoFromIdTokenWithIdToken(token, andWithCallBack: $0)
        }
        #expect(seen == code)
        guard code == "0" else { return }
        let claims = data.asAny as? [String: Any]
        #expect(claims?["userName"] as? String == "jane" && claims?["exp"] as? Int64 == 5 && claims?["email"] as? String == "")
    }

    @Test("A refresh comes as a JSON text")
    func refresh() async throws {
        let call = { BCIDAIDTokenRefreshManager.sharedInstance().refreshIdTokenWithSessionToken("s-1", andWithCallBack: $0) }
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        // A token that the program kept itself, then one that is in the store.
        for isStored in [false, true] {
            if isStored { try await tenant.logIn() }
            let (code, data) = await called(call)
            let text = try #require(data.asAny as? String)
            let reply = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(code == "0" && reply["session_token"] as? String == "s-2" && reply["id_token"] as? String == Tenant.usualToken)
            #expect(reply["expire"] as? Int == 604_800)
            #expect(try await tenant.store.contents().session?.sessionToken == (isStored ? "s-2" : nil))
        }
        tenant.server.answer(Path.refresh, .refusal("IDAAS.SDK.COMMON.1005"))
        #expect(await called(call).0 == "IDAAS.SDK.COMMON.1005")
        #expect(
            await called { BCIDAIDTokenRefreshManager.sharedInstance().refreshIdTokenWithSessionToken("", andWithCallBack: $0) }.0 == "1")
    }

    @Test(
        "Without a domain or a client id every call is 1",
        arguments: [("", "client-1"), (Tenant.domain, ""), ("http://tenant.example", "c")])
    func notSetUp(_ domain: String, client: String) async {
        BCIDACommonManager.sharedInstance().initWithDomain(domain).initWithClientID(client)
        let codes = [
            await called { BCIDAIDTokenManager.sharedInstance().verifySignWithIdToken(Tenant.idToken(), andWithCallBack: $0) }.0,
            await called { BCIDAInternationalPhoneCodeManager.getInternaltionalAreaCodeWithCompletionHandler($0) }.0,
        ]
        #expect(codes == ["1", "1"] && tenant.server.requests.isEmpty)
    }

    @Test("Unwanted verification of certificates hinders no call")
    func unwantedVerification() async {
        BCIDACommonManager.sharedInstance().initWithSSLCerVerification(false)
        #expect(await called { BCIDAIDTokenManager.sharedInstance().verifySignWithIdToken(Tenant.idToken(), andWithCallBack: $0) }.0 == "0")
    }
}

/// One test at a time: the documented names have one configuration for the process.
struct TakesTurns: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        // A suite's own scope has no case, and its tests come to take their turns.
        guard testCase != nil else { return try await function() }
        await Turn.legacy.take()
        defer { Turn.legacy.leave() }
        try await function()
    }
}
