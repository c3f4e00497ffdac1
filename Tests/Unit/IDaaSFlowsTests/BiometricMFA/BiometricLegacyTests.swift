import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWTTestSupport
import Testing

/// Code written against the vendor's documents of the biometric second factor.
@Suite(TakesTurns()) struct BiometricLegacyTests {
    private let legacy = LegacyCalls()
    private let phone: PhoneTenant
    private let token = Tenant.usualToken

    init() throws {
        phone = try PhoneTenant()
        set(up: .english)
        BCIDACommonManager.sharedInstance().use(matchCode: { _ in "47" })
    }

    private func set(up language: Language) { legacy.setUp(phone.tenant, ScriptedSlider(.closed), language) }

    /// The dictionary of a callback that has no code beside it.
    private func replied(_ call: (@escaping LegacyReplyHandler) -> Void) async -> [String: WireValue] {
        let data = await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
        guard case .dictionary(let members) = data else { return [:] }
        return members
    }

    private func bind(_ userID: String = "jane", _ token: String = Tenant.usualToken) async -> (String, LegacyData) {
        await legacy.called {
            BCIDAMfaBioDeviceBindManager.sharedInstance().bindDeviceWithIDToken(token, andWithUserID: userID, andWithCallBack: $0)
        }
    }

    private func unbind() async -> (String, LegacyData) {
        await legacy.called { BCIDAMfaBioDeviceBindManager.sharedInstance().unbindDeviceWithIDToken(token, andWithCallBack: $0) }
    }

    private func status() async -> (String, LegacyData) {
        await legacy.called { BCIDAMfaBioDeviceBindManager.sharedInstance().checkDeviceStatusWithIDToken(token, andWithCallBack: $0) }
    }

    private func check() async -> (String, LegacyData) {
        await legacy.called { BCIDAMfaBioVerifyManager.sharedInstance().checkIfMFAAvailableWithidToken(token, andWithCallBack: $0) }
    }

    private func verify(_ random: String, _ token: String = Tenant.usualToken) async -> (String, LegacyData) {
        await legacy.called {
            BCIDAMfaBioVerifyManager.sharedInstance().verifyMFAResponseWithUserID(
                "jane", andWithIdToken: token, andRandomStr: random, andWithCallBack: $0)
        }
    }

    static let types: [(BiometricAvailability, String, String)] =
        [(.face, "3", "面容"), (.touch, "4", "指纹"), (.unavailable(.other("broken")), "9", "broken")]
        + BiometricFailures.documented.filter { $0.code.count == 1 }.map { (.unavailable($0.0), $0.code, $0.chinese) }

    @Test(arguments: types)
    func theTypeHasItsCodeAndText(_ availability: BiometricAvailability, code: String, text: String) async {
        set(up: .chinese)
        phone.verifier.set(availability: availability)
        #expect(await legacy.called { BCIDAFingerPrintManager.checkFingerPrintTypeWithCallback($0) } == (code, .text(text)))
    }

    @Test
    func bindingAndUnbindingHaveTheDocumentsCodesAndTexts() async {
        #expect(await status() == ("102", .text("Not bound")))
        #expect(await bind() == ("0", .text("Binding successful")))
        #expect(await status() == ("101", .text("Already bound")))
        #expect(await unbind() == ("0", .text("Unbind successful")))
        #expect(await unbind().0 == "1")
        #expect(await bind("").0 == "1")
        #expect(await bind("jane", "").0 == "1")
    }

    @Test
    func aRefusalWithoutAReasonIs104Or105InBothLanguages() async {
        #expect(await bind().0 == "0")
        phone.server.answer(WirePath.bioDevice, .data("false"))
        phone.server.answer(WirePath.bioUnbind, .data("false"))
        #expect(await bind() == ("104", .text("Binding failed")))
        #expect(await unbind() == ("105", .text("Unbind failed")))
        set(up: .chinese)
        #expect(await bind() == ("104", .text("绑定失败")))
        #expect(await unbind() == ("105", .text("解绑失败")))
    }

    @Test
    func aTokenThatTheServerRefusesIsCOM0217() async {
        for path in [WirePath.bioDevice, WirePath.bioPending] {
            phone.server.answer(path, .data("null", code: "COM.0217", message: "\"token invalid\""))
        }
        #expect(await bind() == ("COM.0217", .text("token invalid")))
        #expect(await status().0 == "COM.0217")
        #expect(await check().0 == "COM.0217")
    }

    @Test(arguments: BiometricFailures.documented)
    func theLocalErrorsHaveTheirCodesAndTexts(_ row: (BiometricFailure, code: String, english: String, chinese: String)) async {
        #expect(await bind().0 == "0")
        phone.verifier.set(failure: row.0)
        #expect(await bind() == (row.code, .text(row.english)))
        #expect(await unbind() == (row.code, .text(row.english)))
        set(up: .chinese)
        #expect(await bind() == (row.code, .text(row.chinese)))
        #expect(await verify("r-1") == ("2", .text(row.chinese)))
    }

    @Test
    func aLoginIsCheckedAndApproved() async {
        _ = await bind()
        #expect(await check() == ("0", .text("r-1")))
        #expect(await verify("r-1") == ("0", .text("Secondary authentication successful")))
        #expect(await check() == ("2", .text("There is currently no secondary authentication that needs to be completed")))
        #expect(await verify("r-1").0 == "IDAAS.SDK.MFA.1006")
        #expect(await verify("").0 == "1")
        #expect(await verify("r-1", "") == ("1", .text("Login expired, please log in again")))
    }

    @Test
    func aRefusedApprovalIs2() async {
        _ = await bind()
        phone.server.answer(WirePath.bioRespond, .data("false"))
        #expect(await verify("r-1") == ("2", .text("Secondary authentication failed")))
        set(up: .chinese)
        #expect(await verify("r-1") == ("2", .text("二次认证失败")))
    }

    @Test
    func aKeyThatCannotSignIs101() async {
        _ = await bind()
        phone.verifier.set(enrolment: "e-2")
        #expect(await verify("r-1").0 == "101")
    }

    @Test
    func theDigitsComeFromTheApp() async {
        _ = await bind()
        phone.record.withLock { $0.pending = PhoneTenant.request.replacing("}", with: #","match_required":true}"#) }
        #expect(await verify("r-1").0 == "0")
        #expect(phone.last(WirePath.bioRespond)?.body("match_code") == "47")
    }

    private func publicKey(_ userID: String = "jane") async -> (String, LegacyData) {
        await legacy.called { BCIDAFingerPrintVerifyManager.sharedInstance().getPublicKeywithUserid(userID, CallBack: $0) }
    }

    private func sign(_ text: String) async -> (String, LegacyData) {
        await legacy.called {
            BCIDAFingerPrintVerifyManager.sharedInstance().signDataByPrivateKeywithUserid("jane", WithStr: text, andWithCallBack: $0)
        }
    }

    private func bindByKey(_ key: String) async -> [String: WireValue] {
        await replied { BCIDAMfaBioAPIManager.sharedInstance().bindDeviceWithidToken(token, andPublicKey: key, andWithCallBack: $0) }
    }

    private func unbindByAPI() async -> [String: WireValue] {
        await replied { BCIDAMfaBioAPIManager.sharedInstance().unbindDeviceAPIWithIDToken(token, andWithCallBack: $0) }
    }

    private func request() async -> [String: WireValue] {
        await replied { BCIDAMfaBioAPIManager.sharedInstance().checkIFMfaBioRequestAvailableWithIdToken(token, andWithCallBack: $0) }
    }

    private func respond(_ signature: String, _ token: String = Tenant.usualToken) async -> [String: WireValue] {
        await replied {
            BCIDAMfaBioAPIManager.sharedInstance().responseToMfaBioWithIdToken(token, andWithSignedStr: signature, andWithCallBack: $0)
        }
    }

    private static func reply(_ data: WireValue, _ code: String = "0", _ message: WireValue = .null) -> [String: WireValue] {
        ["code": .text(code), "data": data, "message": message]
    }

    @Test
    func theStepsOfTheInterfaceBindAskSignAnswerAndUnbind() async {
        let (code, key) = await publicKey()
        #expect(code == "0")
        guard case .text(let publicKey) = key else {
            Issue.record("the public key is no text")
            return
        }
        #expect(await bindByKey(publicKey) == Self.reply(.bool(true)))
        let found: WireValue = .object(["random": .text("r-1"), "clientId": .text("shop"), "clientName": .text("华为云")])
        #expect(await request() == Self.reply(found))
        let (signed, signature) = await sign("r-1")
        #expect(signed == "0")
        guard case .text(let text) = signature else {
            Issue.record("the signature is no text")
            return
        }
        #expect(await respond(text) == Self.reply(.bool(true)))
        // The random string was this process's, so the signature covers what is approved.
        #expect(phone.record.withLock { $0.accepted.last } == "respond IDAAS-BIO-1 r-1 shop u-1 approve biometric")
        #expect(await request() == Self.reply(.null))
        #expect(await unbindByAPI() == Self.reply(.bool(true)))
        #expect(await unbindByAPI()["code"] == .text("1"))
    }

    @Test
    func aRandomStringOfAnEarlierProcessIsSignedAlone() async {
        guard case .text(let key) = await publicKey().1 else {
            Issue.record("the public key is no text")
            return
        }
        #expect(await bindByKey(key) == Self.reply(.bool(true)))
        phone.server.answer(WirePath.bioRespond, .data("true"))
        guard case .text(let text) = await sign("231123").1 else {
            Issue.record("the signature is no text")
            return
        }
        #expect(await respond(text) == Self.reply(.bool(true)))
        #expect(phone.last(WirePath.bioRespond)?.body("sig_version") == "0" && phone.last(WirePath.bioRespond)?.body("random") == "231123")
        #expect(await respond("MAMC") == Self.reply(.bool(true)))
        #expect(phone.last(WirePath.bioRespond)?.body("random") == nil)
    }

    @Test
    func failuresOfTheInterfaceAreDictionariesToo() async {
        let refusal = Self.reply(.null, "IDAAS.SDK.MFA.1005", .text("The device is not bound"))
        for path in [WirePath.bioDevice, WirePath.bioPending, WirePath.bioRespond] {
            phone.server.answer(path, .refusal("IDAAS.SDK.MFA.1005"))
        }
        guard case .text(let key) = await publicKey().1 else {
            Issue.record("the public key is no text")
            return
        }
        #expect(await bindByKey(key) == refusal)
        #expect(await request() == refusal)
        #expect(await respond("MAMC") == refusal)
        #expect(await respond("MAMC", "") == Self.reply(.null, "1", .text("Login expired, please log in again")))
        #expect(await bindByKey("")["code"] == .text("1"))
        #expect(await publicKey("").0 == "1")
        phone.server.answer(WirePath.bioDevice, .data("false"))
        #expect(await bindByKey(key) == Self.reply(.bool(false)))
    }

    @Test(arguments: BiometricFailures.documented)
    func signingHasTheLocalCodes(_ row: (BiometricFailure, code: String, english: String, chinese: String)) async {
        #expect(await sign("r-1").0 == "101")
        _ = await publicKey()
        phone.verifier.set(failure: row.0)
        #expect(await sign("r-1") == (row.code, .text(row.english)))
    }
}
