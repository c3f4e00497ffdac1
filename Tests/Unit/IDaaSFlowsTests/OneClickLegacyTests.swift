import Dispatch
import IDaaSFlows
import JWKSTestSupport
import JWTTestSupport
import Testing

/// Code written against the carrier SDK's document.
@Suite(TakesTurns()) struct OneClickLegacyTests {
    private static let queue = DispatchQueue(label: "carrier callbacks")
    private let clock = ManualClock(date: Tenant.start)
    private let handler = TXCommonHandler.sharedInstance()

    private func use(_ sdk: ScriptedCarrier) { handler.use(carrier: sdk, queue: Self.queue, clock: clock) }

    /// The dictionaries of a page's callback, until the last.
    private func results(_ model: TXCustomModel? = nil, timeout: Double = 0) async -> [[String: String]] {
        let seen = Guarded([[String: String]]())
        await withCheckedContinuation { continuation in
            handler.getLoginTokenWithController(ScriptedOneClickPage(), model: model, timeout: timeout) { result in
                seen.withLock { $0.append(result) }
                if result["resultCode"] != TX_Auth_Result_Success { continuation.resume() }
            }
        }
        return seen.withLock { $0 }
    }

    private func fetched(timeout: Double = 0) async -> [String: String] {
        await withCheckedContinuation { continuation in
            handler.getLoginNumberWithTimeout(timeout) { continuation.resume(returning: $0) }
        }
    }

    @Test
    func theConstantsAreThoseOfTheDocument() {
        #expect([TX_Auth_Result_Success, TX_Login_SSO_Action, TX_Login_Change_Action] == ["6666", "6668", "6669"])
    }

    @Test(arguments: [(nil, true), (CarrierCode.noSIM, false), (.noCellular, false)])
    func theCheckIsABoolAndTheVersionThatOfTheSDK(_ obstacle: CarrierCode?, isEnabled: Bool) {
        use(ScriptedCarrier(obstacle: obstacle))
        #expect(handler.checkGatewayVerifyEnable(nil) == isEnabled && handler.getVersion() == "2.1.0")
        #expect(!handler.checkGatewayVerifyEnable("other"))
    }

    @Test(arguments: [
        ("600000", "6666"), ("6666", "6666"), ("5555", "5555"), ("4444", "4444"), ("3344", "3344"), ("4433", "3344"), ("2222", "2222"),
        ("1111", "1111"), ("600012", "4444"),
    ])
    func aFetchHasTheDocumentsResults(_ code: String, result: String) async {
        use(ScriptedCarrier(prefetched: [.reply(CarrierReply(CarrierCode(rawValue: code), message: "as the SDK says"))]))
        let fetched = await fetched()
        #expect(fetched["resultCode"] == result && fetched["msg"]?.isEmpty == false && fetched["token"] == nil)
        if result != "6666" { #expect(fetched["msg"] == "as the SDK says [\(code)]") }
    }

    @Test
    func thePageCallsBackWhenItAppearsAndWhenTheTokenIsThere() async {
        use(.agreeing())
        let results = await results()
        #expect(results.map { $0["resultCode"] } == ["6666", "6668"] && results.map { $0["token"] } == [nil, "t-1"])
    }

    @Test(arguments: [
        ("6669", "6669"), ("6667", "6667"), ("5555", "5555"), ("1111", "1111"), ("2222", "2222"), ("3344", "3344"), ("4444", "4444"),
    ])
    func thePageEndsWithTheDocumentsResults(_ code: String, result: String) async {
        use(ScriptedCarrier(CarrierReply(CarrierCode(rawValue: code))))
        #expect(await results().map { $0["resultCode"] } == ["6666", result])
    }

    @Test(arguments: [(0.0, 3.0), (5.0, 5.0)])
    func aTimeoutIsInSecondsAndZeroIsThree(_ timeout: Double, used: Double) async {
        let sdk = ScriptedCarrier()
        use(sdk)
        _ = await fetched(timeout: timeout)
        #expect(sdk.timeouts == [.seconds(used)])
    }

    @Test
    func eachOptionOfTheModelReachesThePage() async throws {
        let model = TXCustomModel(), black = try #require(HexColor("000000")), white = try #require(HexColor("FFFFFF"))
        model.navColor = white
        model.navTitle = StyledText("一键登录", color: black, size: 18)
        model.navMoreControl = PageView(title: "更多")
        model.logoImage = .named("logo")
        model.logoIsHidden = true
        (model.logoWidth, model.logoHeight, model.logoTopOffetY) = (1, 2, 3)
        model.sloganIsHidden = true
        model.sloganText = "slogan"
        model.sloganTopOffetY = 4
        model.numberColor = black
        (model.numberSize, model.numberTopOffetY) = (30, 5)
        model.loginBtnBgImgs = [.named("n"), .named("d"), .named("h")]
        model.loginBtnTitle = "Log in"
        model.loginBtnTitleColor = white
        model.loginBtnTopOffetY = 6
        model.privacyOne = ["One", "https://one.example"]
        model.privacyTwo = ["Two", "https://two.example"]
        model.privacyColors = [black, white]
        model.privacyBottomOffetY = 7
        model.checkBoxIsChecked = true
        model.checkBoxImages = [.named("off"), .named("on")]
        model.changeBtnTitle = "Other"
        model.changeBtnIsHidden = true
        model.changeBtnTopOffetY = 8
        model.customViewBlock = { $0.append(PageView(frame: PageFrame(x: 40, y: 430, width: 295, height: 80))) }
        let sdk = ScriptedCarrier(CarrierReply(.back))
        use(sdk)
        _ = await results(model)
        let page = try #require(sdk.pages.first)
        #expect(page.barColor == white && page.title.text == "一键登录" && page.title.size == 18 && page.moreControl?.title?.text == "更多")
        #expect(page.logo == .named("logo") && page.isLogoHidden && [page.logoWidth, page.logoHeight, page.logoTop] == [1, 2, 3])
        #expect(page.isSloganHidden && page.slogan?.text == "slogan" && page.sloganTop == 4)
        #expect(page.numberColor == black && page.effectiveNumberSize == 30 && page.numberTop == 5)
        #expect(page.loginPictures == .init(normal: .named("n"), disabled: .named("d"), highlighted: .named("h")))
        #expect(page.loginTitle == "Log in" && page.loginTitleColor == white && page.loginTop == 6)
        #expect(
            page.agreements.map(\.title) == ["One", "Two"] && page.agreements.map(\.url) == ["https://one.example", "https://two.example"])
        #expect(page.agreementColors == .init(text: black, link: white) && page.agreementsBottom == 7 && page.isConsented)
        #expect(page.checkBoxPictures == .init(unchecked: .named("off"), checked: .named("on")))
        #expect(page.switchTitle.text == "Other" && page.isSwitchHidden && page.switchTop == 8 && page.views.first?.frame?.y == 430)
    }

    @Test
    func aModelThatSetsNothingAndNoModelAreTheDefaultPage() async throws {
        let sdk = ScriptedCarrier(CarrierReply(.back))
        use(sdk)
        let broken = TXCustomModel()
        broken.loginBtnBgImgs = [.named("one")]
        broken.privacyOne = ["title"]
        broken.privacyColors = []
        broken.checkBoxImages = []
        broken.numberSize = 15
        for model in [nil, TXCustomModel(), broken] { _ = await results(model) }
        for page in sdk.pages {
            #expect(!page.isConsented && page.agreements.isEmpty && page.loginPictures == nil && page.checkBoxPictures == nil)
            #expect([page.logoWidth, page.logoHeight] == [200, 90] && page.effectiveNumberSize == 20 && page.loginTitle == "一键登录")
        }
    }
}
