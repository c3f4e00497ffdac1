import IDaaSFlows
import Testing

/// One at a time: the documented name has one theme for the process.
@Suite(TakesTurns()) struct BindPhoneThemeTests {
    @Test(arguments: [
        ("FF4F4A", true), ("ff4f4a", true), ("#FF4F4A", false), ("0xFF4F4A", false), ("FF4F4", false), ("GG4F4A", false), ("", false),
    ])
    func aColourIsSixHexadecimalDigits(_ text: String, isColor: Bool) {
        #expect((HexColor(text) != nil) == isColor)
        if isColor { #expect(HexColor(text)?.description == "FF4F4A") }
    }

    /// A theme that sets nothing is the default, on both pages.
    @Test
    func whatIsNotSetHasItsDefault() {
        for kind in BindingStep.Kind.allCases {
            let style = BindPhoneTheme().style(of: kind)
            let isRegistration = kind == .register
            #expect(style.barColor == BindPhoneDefaults.barColor && style.backPicture == nil && style.rightView == nil)
            #expect(style.backFrame == BindPhoneStyle.backFrameOnBar)
            #expect(style.title == (isRegistration ? BindPhoneDefaults.registerTitle : BindPhoneDefaults.bindTitle))
            #expect(style.heading == (isRegistration ? BindPhoneDefaults.registerHeading : BindPhoneDefaults.bindHeading))
            #expect(style.description == (isRegistration ? BindPhoneDefaults.registerDescription : BindPhoneDefaults.bindDescription))
            #expect(style.sendText == BindPhoneDefaults.sendText && style.sendBorderColor == BindPhoneDefaults.sendBorderColor)
            #expect(
                style.sendFill == .color(BindPhoneDefaults.sendColor) && style.countdownFill == .color(BindPhoneDefaults.countdownColor))
            #expect(style.countdownTextColor == BindPhoneDefaults.countdownTextColor)
            #expect(style.confirmText == (isRegistration ? BindPhoneDefaults.registerButtonText : BindPhoneDefaults.bindButtonText))
            #expect(style.confirmTextColors.inactive == BindPhoneDefaults.inactiveTextColor)
            #expect(style.confirmTextColors.active == BindPhoneDefaults.activeTextColor)
            #expect(style.confirmTextColors.pressed == BindPhoneDefaults.pressedTextColor)
            #expect(style.confirmColors.inactive == BindPhoneDefaults.inactiveColor)
            #expect(style.confirmColors.active == BindPhoneDefaults.activeColor)
        }
    }

    /// Every property of the documents, under their names, reaches the page.
    @Test
    func eachPropertyOfTheDocumentsIsShown() throws {
        let settings = BCWechatBindPhoneViewCustomSetting()
        settings.isNavHidden = false
        settings.navColor = "000001"
        settings.navBindTitle = "bind title"
        settings.navRegistTitle = StyledText("register title", color: HexColor("000002"), size: 18)
        settings.navBackImage = .named("back")
        settings.navRightView = PageView(title: "More")
        settings.tileDescriptionRegistText = "register heading"
        settings.tileDescriptionBindText = "bind heading"
        settings.descriptionBindText = "bind description"
        settings.descriptionRegistText = "register description"
        settings.clickToSendSMSButtonText = "send"
        settings.clickToSendBorderColor = "000003"
        settings.clickToSendSMSBackgroundColor = "000004"
        settings.countDownTextColor = "000005"
        settings.countDownBtnBackgroundColor = "000006"
        settings.confirmButtonRegistText = "Register"
        settings.confirmButtonBindText = "Bind"
        settings.confirmButtonInactiveTextColor = "000007"
        settings.confirmButtonActiveTextColor = "000008"
        settings.confirmButtonOnPressTextColor = "000009"
        settings.confirmButtonInactiveBackgroundColor = "00000A"
        settings.confirmButtonactiveBackgroundColor = "00000B"
        let manager = BCIDABindPhoneThemeManager.sharedInstance()
        manager.setBindPhoneTheme(settings)
        let register = manager.theme.style(of: .register), bind = manager.theme.style(of: .bind)
        #expect([register.title.text, bind.title.text] == ["register title", "bind title"] && register.title.size == 18)
        #expect([register.heading.text, bind.heading.text] == ["register heading", "bind heading"])
        #expect([register.description.text, bind.description.text] == ["register description", "bind description"])
        #expect([register.confirmText, bind.confirmText] == ["Register", "Bind"])
        #expect(register.backPicture == .named("back") && register.rightView?.title?.text == "More" && register.sendText.text == "send")
        let colors = [
            register.barColor, register.title.color, register.sendBorderColor, register.countdownTextColor,
            register.confirmTextColors.inactive, register.confirmTextColors.active, register.confirmTextColors.pressed,
            register.confirmColors.inactive, register.confirmColors.active,
        ]
        #expect(
            colors.map { $0?.description } == ["000001", "000002", "000003", "000005", "000007", "000008", "000009", "00000A", "00000B"])
        #expect(register.sendFill == .color(try #require(HexColor("000004"))))
        #expect(register.countdownFill == .color(try #require(HexColor("000006"))))
    }

    @Test
    func aPictureWinsOverAColour() {
        var theme = BindPhoneTheme()
        theme.sendPicture = .named("send")
        theme.sendColor = HexColor("000004")
        theme.countdownPicture = .bytes([1])
        theme.countdownColor = HexColor("000006")
        let style = theme.style(of: .bind)
        #expect(style.sendFill == .picture(.named("send")) && style.countdownFill == .picture(.bytes([1])))
    }

    /// Contradiction 40: the picture of the back button is used with a bar and without; the frame only without.
    @Test(arguments: [(true, 70.0, 150.0), (false, 50.0, 0.0)])
    func theBackButtonStandsOnThePageWhereTheBarIsHidden(_ isHidden: Bool, width: Double, y: Double) {
        var theme = BindPhoneTheme()
        theme.isBarHidden = isHidden
        theme.backPicture = .named("back")
        theme.backFrame = { PageFrame(x: $0.x, y: 150, width: $0.width, height: $0.height) }
        let style = theme.style(of: .register)
        #expect(style.backFrame.width == width && style.backFrame.y == y && style.backPicture == .named("back"))
        #expect((style.barColor == nil) == isHidden)
    }

    @Test
    func eachCallReplacesTheWholeTheme() {
        let manager = BCIDABindPhoneThemeManager.sharedInstance(), first = BCWechatBindPhoneViewCustomSetting()
        first.confirmButtonBindText = "First"
        first.navColor = "99FFCC"
        manager.setBindPhoneTheme(first)
        let second = BCWechatBindPhoneViewCustomSetting()
        second.navColor = "no colour"
        manager.setBindPhoneTheme(second)
        let style = manager.theme.style(of: .bind)
        #expect(style.confirmText == BindPhoneDefaults.bindButtonText && style.barColor == BindPhoneDefaults.barColor)
    }
}
