/// The options of the page of one-click login, with the properties of the carrier's SDK, its spelling included. Unset properties keep their
/// defaults; offsets and sizes are in points.
public final class TXCustomModel {
    public var navColor: HexColor?
    public var navTitle: StyledText?
    public var navMoreControl: PageView?
    public var logoImage: Artwork?
    public var logoIsHidden = false
    public var logoWidth: Double?
    public var logoHeight: Double?
    public var logoTopOffetY: Double?
    public var sloganIsHidden = false
    public var sloganText: StyledText?
    public var sloganTopOffetY: Double?
    public var numberColor: HexColor?
    /// A size below 16 is ignored.
    public var numberSize: Double?
    public var numberTopOffetY: Double?
    /// Normal, disabled, highlighted; any other count leaves the default.
    public var loginBtnBgImgs: [Artwork]?
    public var loginBtnTitle: String?
    public var loginBtnTitleColor: HexColor?
    public var loginBtnTopOffetY: Double?
    /// Title and address.
    public var privacyOne: [String]?
    /// Title and address.
    public var privacyTwo: [String]?
    /// Text and link.
    public var privacyColors: [HexColor]?
    public var privacyBottomOffetY: Double?
    /// Not set unless you set it: a box that is set beforehand is no consent in many countries.
    public var checkBoxIsChecked = false
    /// Unchecked, checked.
    public var checkBoxImages: [Artwork]?
    public var changeBtnTitle: StyledText?
    public var changeBtnIsHidden = false
    public var changeBtnTopOffetY: Double?
    /// Adds the program's own views.
    public var customViewBlock: (@Sendable (_ superCustomView: inout [PageView]) -> Void)?

    public init() {}

    var page: OneClickPage {
        var page = OneClickPage()
        page.barColor = navColor
        page.title = navTitle ?? page.title
        page.moreControl = navMoreControl
        page.logo = logoImage
        page.isLogoHidden = logoIsHidden
        page.logoWidth = logoWidth ?? page.logoWidth
        page.logoHeight = logoHeight ?? page.logoHeight
        page.logoTop = logoTopOffetY ?? page.logoTop
        page.isSloganHidden = sloganIsHidden
        page.slogan = sloganText
        page.sloganTop = sloganTopOffetY ?? page.sloganTop
        page.numberColor = numberColor
        page.numberSize = numberSize ?? page.numberSize
        page.numberTop = numberTopOffetY ?? page.numberTop
        page.loginTitle = loginBtnTitle ?? page.loginTitle
        page.loginTitleColor = loginBtnTitleColor
        page.loginTop = loginBtnTopOffetY ?? page.loginTop
        page.agreementsBottom = privacyBottomOffetY ?? page.agreementsBottom
        page.isConsented = checkBoxIsChecked
        page.switchTitle = changeBtnTitle ?? page.switchTitle
        page.isSwitchHidden = changeBtnIsHidden
        page.switchTop = changeBtnTopOffetY ?? page.switchTop
        fillLists(&page)
        customViewBlock?(&page.views)
        return page
    }

    private func fillLists(_ page: inout OneClickPage) {
        if let pictures = loginBtnBgImgs, pictures.count == 3 {
            page.loginPictures = .init(normal: pictures[0], disabled: pictures[1], highlighted: pictures[2])
        }
        for pair in [privacyOne, privacyTwo] {
            if let pair, pair.count == 2 { page.agreements.append(.init(title: pair[0], url: pair[1])) }
        }
        if let colors = privacyColors, colors.count == 2 { page.agreementColors = .init(text: colors[0], link: colors[1]) }
        if let pictures = checkBoxImages, pictures.count == 2 {
            page.checkBoxPictures = .init(unchecked: pictures[0], checked: pictures[1])
        }
    }
}
