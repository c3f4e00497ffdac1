/// A picture of a page.
public enum Artwork: Hashable, Sendable, Codable {
    /// A picture in the program's own resources.
    case named(String)
    /// PNG or JPEG.
    case bytes([UInt8])
}

/// What fills an area. Where a picture and a colour are both set, the picture is used.
public enum Fill: Hashable, Sendable, Codable {
    case color(HexColor)
    case picture(Artwork)

    init(_ picture: Artwork?, _ color: HexColor?, default fallback: HexColor) {
        self = picture.map { .picture($0) } ?? .color(color ?? fallback)
    }
}

/// A rectangle in points; the origin is the top left corner of the page.
public struct PageFrame: Hashable, Sendable, Codable {
    public var x, y, width, height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A view of the program's own on a page.
public struct PageView: Sendable {
    public var title: StyledText?
    public var picture: Artwork?
    public var background: HexColor?
    /// Nil: where the page has a place for it.
    public var frame: PageFrame?
    /// Runs when the user presses it.
    public var action: (@Sendable () -> Void)?

    public init(
        title: StyledText? = nil, picture: Artwork? = nil, background: HexColor? = nil, frame: PageFrame? = nil,
        action: (@Sendable () -> Void)? = nil
    ) {
        self.title = title
        self.picture = picture
        self.background = background
        self.frame = frame
        self.action = action
    }
}
