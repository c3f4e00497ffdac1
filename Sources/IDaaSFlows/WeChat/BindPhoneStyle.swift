/// Everything that a user interface needs to draw the page for binding or registration: a theme without gaps, for one of the two pages.
public struct BindPhoneStyle: Sendable {
    /// Nil: the page has no bar.
    public let barColor: HexColor?
    /// Nil: the interface draws its own arrow.
    public let backPicture: Artwork?
    public let backFrame: PageFrame
    public let title: StyledText
    public let rightView: PageView?
    public let heading: StyledText
    public let description: StyledText
    public let sendText: StyledText
    public let sendBorderColor: HexColor
    public let sendFill: Fill
    public let countdownTextColor: HexColor
    public let countdownFill: Fill
    public let confirmText: String
    public let confirmTextColors: StateColors
    public let confirmColors: StateColors

    /// The colours of the button that confirms: while a field is empty, when it can be pressed, and while it is pressed.
    public struct StateColors: Hashable, Sendable {
        public let inactive, active, pressed: HexColor
    }

    /// The back button's place: on the bar, and on a page without one.
    public static let backFrameOnBar = PageFrame(x: 0, y: 0, width: 50, height: 30)
    public static let backFrameOnPage = PageFrame(x: 5, y: 44, width: 70, height: 40)

    init(_ theme: BindPhoneTheme, _ kind: BindingStep.Kind) {
        typealias Usual = BindPhoneDefaults
        let isHidden = theme.isBarHidden ?? Usual.isBarHidden, isRegistration = kind == .register
        barColor = isHidden ? nil : theme.barColor ?? Usual.barColor
        backPicture = theme.backPicture
        backFrame = isHidden ? theme.backFrame?(Self.backFrameOnPage) ?? Self.backFrameOnPage : Self.backFrameOnBar
        title = isRegistration ? theme.registerTitle ?? Usual.registerTitle : theme.bindTitle ?? Usual.bindTitle
        rightView = theme.rightView
        heading = isRegistration ? theme.registerHeading ?? Usual.registerHeading : theme.bindHeading ?? Usual.bindHeading
        description =
            isRegistration ? theme.registerDescription ?? Usual.registerDescription : theme.bindDescription ?? Usual.bindDescription
        sendText = theme.sendText ?? Usual.sendText
        sendBorderColor = theme.sendBorderColor ?? Usual.sendBorderColor
        sendFill = Fill(theme.sendPicture, theme.sendColor, default: Usual.sendColor)
        countdownTextColor = theme.countdownTextColor ?? Usual.countdownTextColor
        countdownFill = Fill(theme.countdownPicture, theme.countdownColor, default: Usual.countdownColor)
        confirmText = isRegistration ? theme.registerButtonText ?? Usual.registerButtonText : theme.bindButtonText ?? Usual.bindButtonText
        confirmTextColors = StateColors(
            inactive: theme.inactiveTextColor ?? Usual.inactiveTextColor, active: theme.activeTextColor ?? Usual.activeTextColor,
            pressed: theme.pressedTextColor ?? Usual.pressedTextColor)
        let active = theme.activeColor ?? Usual.activeColor
        confirmColors = StateColors(inactive: theme.inactiveColor ?? Usual.inactiveColor, active: active, pressed: active)
    }
}

/// What a theme leaves open. The SDK documents have a picture only, so these are our own; `Docs/Flows.md` lists them.
public enum BindPhoneDefaults {
    public static let isBarHidden = false
    public static let barColor = HexColor(0xFFFFFF)
    public static let bindTitle = StyledText("绑定手机号", color: HexColor(0x333333), size: 18)
    public static let registerTitle = StyledText("注册", color: HexColor(0x333333), size: 18)
    public static let bindHeading = StyledText("绑定手机号", color: HexColor(0x333333), size: 25)
    public static let registerHeading = StyledText("注册手机号", color: HexColor(0x333333), size: 25)
    public static let bindDescription = StyledText("请输入要绑定的手机号", color: HexColor(0x999999), size: 16)
    public static let registerDescription = StyledText("请输入要注册的手机号", color: HexColor(0x999999), size: 16)
    public static let sendText = StyledText("获取验证码", color: HexColor(0x1677FF), size: 14)
    public static let sendBorderColor = HexColor(0x1677FF)
    public static let sendColor = HexColor(0xFFFFFF)
    public static let countdownTextColor = HexColor(0x999999)
    public static let countdownColor = HexColor(0xF5F5F5)
    public static let bindButtonText = "绑定"
    public static let registerButtonText = "注册"
    public static let inactiveTextColor = HexColor(0xFFFFFF)
    public static let activeTextColor = HexColor(0xFFFFFF)
    public static let pressedTextColor = HexColor(0xE6E6E6)
    public static let inactiveColor = HexColor(0xBFBFBF)
    public static let activeColor = HexColor(0x1677FF)
}
