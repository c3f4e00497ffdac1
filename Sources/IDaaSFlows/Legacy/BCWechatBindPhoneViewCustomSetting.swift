/// The theme of the page for binding and registration, with the properties of the vendor's SDK. Unset properties keep their defaults.
public final class BCWechatBindPhoneViewCustomSetting {
    /// True: the bar is hidden, and the back button stands on the page.
    public var isNavHidden: Bool?
    /// Six hexadecimal digits, as every colour here. Any other text leaves the default.
    public var navColor: String?
    public var navHiddenBackButtonFrameBlock: (@Sendable (PageFrame) -> PageFrame)?
    public var navBindTitle: StyledText?
    public var navRegistTitle: StyledText?
    public var navBackImage: Artwork?
    public var navRightView: PageView?
    public var tileDescriptionRegistText: StyledText?
    public var tileDescriptionBindText: StyledText?
    public var descriptionBindText: StyledText?
    public var descriptionRegistText: StyledText?
    public var clickToSendSMSButtonText: StyledText?
    public var clickToSendBorderColor: String?
    public var clickToSendSMSBackgroundColor: String?
    public var clickToSendSMSBackgroundImage: Artwork?
    public var countDownTextColor: String?
    public var countDownBtnBackgroundColor: String?
    public var countDownBtnBackgroundImage: Artwork?
    public var confirmButtonRegistText: String?
    public var confirmButtonBindText: String?
    public var confirmButtonInactiveTextColor: String?
    public var confirmButtonActiveTextColor: String?
    public var confirmButtonOnPressTextColor: String?
    public var confirmButtonInactiveBackgroundColor: String?
    public var confirmButtonactiveBackgroundColor: String?

    public init() {}

    var theme: BindPhoneTheme {
        var theme = BindPhoneTheme()
        theme.isBarHidden = isNavHidden
        theme.barColor = navColor.flatMap { HexColor($0) }
        theme.backFrame = navHiddenBackButtonFrameBlock
        theme.bindTitle = navBindTitle
        theme.registerTitle = navRegistTitle
        theme.backPicture = navBackImage
        theme.rightView = navRightView
        theme.registerHeading = tileDescriptionRegistText
        theme.bindHeading = tileDescriptionBindText
        theme.bindDescription = descriptionBindText
        theme.registerDescription = descriptionRegistText
        theme.sendText = clickToSendSMSButtonText
        theme.sendBorderColor = clickToSendBorderColor.flatMap { HexColor($0) }
        theme.sendColor = clickToSendSMSBackgroundColor.flatMap { HexColor($0) }
        theme.sendPicture = clickToSendSMSBackgroundImage
        theme.countdownTextColor = countDownTextColor.flatMap { HexColor($0) }
        theme.countdownColor = countDownBtnBackgroundColor.flatMap { HexColor($0) }
        theme.countdownPicture = countDownBtnBackgroundImage
        theme.registerButtonText = confirmButtonRegistText
        theme.bindButtonText = confirmButtonBindText
        theme.inactiveTextColor = confirmButtonInactiveTextColor.flatMap { HexColor($0) }
        theme.activeTextColor = confirmButtonActiveTextColor.flatMap { HexColor($0) }
        theme.pressedTextColor = confirmButtonOnPressTextColor.flatMap { HexColor($0) }
        theme.inactiveColor = confirmButtonInactiveBackgroundColor.flatMap { HexColor($0) }
        theme.activeColor = confirmButtonactiveBackgroundColor.flatMap { HexColor($0) }
        return theme
    }
}
