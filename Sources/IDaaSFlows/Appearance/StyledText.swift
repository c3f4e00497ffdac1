/// A text with one colour and one size: what the SDK documents pass as an attributed string.
public struct StyledText: Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    public var text: String
    /// Nil: the default of the place where it stands.
    public var color: HexColor?
    /// In points; nil: the default of the place where it stands.
    public var size: Double?

    public init(_ text: String, color: HexColor? = nil, size: Double? = nil) {
        self.text = text
        self.color = color
        self.size = size
    }

    public init(stringLiteral text: String) { self.init(text) }
}
