/// How the page for binding and registration looks: the 25 properties of the SDK documents, as values that any user interface can render.
///
/// A property that is nil has its value in ``BindPhoneDefaults``. The documents show their defaults only in a picture.
public struct BindPhoneTheme: Sendable {
    // The bar
    /// `isNavHidden`. Hidden: the back button stands on the page.
    public var isBarHidden: Bool?
    /// `navColor`
    public var barColor: HexColor?
    /// `navHiddenBackButtonFrameBlock`: gets the default frame of the back button, and returns the one to use. Only with a hidden bar.
    public var backFrame: (@Sendable (PageFrame) -> PageFrame)?
    /// `navBindTitle`
    public var bindTitle: StyledText?
    /// `navRegistTitle`
    public var registerTitle: StyledText?
    /// `navBackImage`: 50 × 30 on the bar, 70 × 40 on the page.
    public var backPicture: Artwork?
    /// `navRightView`
    public var rightView: PageView?

    // The head of the page
    /// `tileDescriptionRegistText`
    public var registerHeading: StyledText?
    /// `tileDescriptionBindText`
    public var bindHeading: StyledText?
    /// `descriptionBindText`
    public var bindDescription: StyledText?
    /// `descriptionRegistText`
    public var registerDescription: StyledText?

    // The button that sends an SMS, before and during the countdown
    /// `clickToSendSMSButtonText`
    public var sendText: StyledText?
    /// `clickToSendBorderColor`
    public var sendBorderColor: HexColor?
    /// `clickToSendSMSBackgroundColor`
    public var sendColor: HexColor?
    /// `clickToSendSMSBackgroundImage`: wins over the colour.
    public var sendPicture: Artwork?
    /// `countDownTextColor`
    public var countdownTextColor: HexColor?
    /// `countDownBtnBackgroundColor`
    public var countdownColor: HexColor?
    /// `countDownBtnBackgroundImage`: wins over the colour.
    public var countdownPicture: Artwork?

    // The button that confirms
    /// `confirmButtonRegistText`
    public var registerButtonText: String?
    /// `confirmButtonBindText`
    public var bindButtonText: String?
    /// `confirmButtonInactiveTextColor`
    public var inactiveTextColor: HexColor?
    /// `confirmButtonActiveTextColor`
    public var activeTextColor: HexColor?
    /// `confirmButtonOnPressTextColor`
    public var pressedTextColor: HexColor?
    /// `confirmButtonInactiveBackgroundColor`
    public var inactiveColor: HexColor?
    /// `confirmButtonactiveBackgroundColor`
    public var activeColor: HexColor?

    public init() {}

    /// What the page of a step looks like: this theme over the defaults.
    public func style(of kind: BindingStep.Kind) -> BindPhoneStyle { BindPhoneStyle(self, kind) }
}
