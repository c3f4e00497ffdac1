/// The page of one-click login: the options of `TXCustomModel`, as values that any user interface can render. Offsets are in points.
///
/// The check box is not set unless ``isConsented`` says so, and cannot be hidden: consent that the user did not give is no consent.
public struct OneClickPage: Sendable {
    // The bar
    public var barColor: HexColor?
    public var title: StyledText = "一键登录"
    public var moreControl: PageView?

    // The logo
    public var logo: Artwork?
    public var isLogoHidden = false
    public var logoWidth: Double = 200
    public var logoHeight: Double = 90
    public var logoTop: Double = 32

    // The slogan
    public var slogan: StyledText?
    public var isSloganHidden = false
    public var sloganTop: Double = 150

    // The masked number
    public var numberColor: HexColor?
    /// In points. A size below 16 is ignored: the carriers demand a legible number.
    public var numberSize: Double = 20
    public var numberTop: Double = 200

    // The button
    public var loginPictures: ButtonPictures?
    public var loginTitle = "一键登录"
    public var loginTitleColor: HexColor?
    public var loginTop: Double = 270

    // The agreements
    /// At most two, beside the carrier's own.
    public var agreements: [Agreement] = []
    public var agreementColors: AgreementColors?
    public var agreementsBottom: Double = 15
    /// The state of the check box when the page opens.
    public var isConsented = false
    public var checkBoxPictures: CheckBoxPictures?

    // Another method
    public var switchTitle: StyledText = "切换到其他方式"
    public var isSwitchHidden = false
    public var switchTop: Double = 344

    /// The program's own views.
    public var views: [PageView] = []

    public static let smallestNumber: Double = 16
    public static let usualNumber: Double = 20

    public init() {}

    /// ``numberSize``, or the default for one that is too small.
    public var effectiveNumberSize: Double { numberSize >= Self.smallestNumber ? numberSize : Self.usualNumber }

    /// An agreement that the user can read.
    public struct Agreement: Hashable, Sendable, Codable {
        public var title, url: String

        public init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }

    public struct AgreementColors: Hashable, Sendable, Codable {
        public var text, link: HexColor

        public init(text: HexColor, link: HexColor) {
            self.text = text
            self.link = link
        }
    }

    /// 300 × 45 points.
    public struct ButtonPictures: Hashable, Sendable, Codable {
        public var normal, disabled, highlighted: Artwork

        public init(normal: Artwork, disabled: Artwork, highlighted: Artwork) {
            self.normal = normal
            self.disabled = disabled
            self.highlighted = highlighted
        }
    }

    /// 45 × 45 points.
    public struct CheckBoxPictures: Hashable, Sendable, Codable {
        public var unchecked, checked: Artwork

        public init(unchecked: Artwork, checked: Artwork) {
            self.unchecked = unchecked
            self.checked = checked
        }
    }
}
