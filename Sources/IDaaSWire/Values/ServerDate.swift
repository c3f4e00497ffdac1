/// An instant in the protocol's form: the decimal digits of its milliseconds since 1970.
public struct ServerDate: Hashable, Sendable {
    /// The server's text. A signature carries this text.
    public let text: String
    /// Since 1970.
    public let milliseconds: Int64
    /// Since 1970, rounded down.
    public var seconds: Int64 { milliseconds / 1_000 }

    /// - Parameter text: milliseconds or seconds, distinguished by size: 10^11 seconds are the year 5138.
    /// - Returns: nil unless the text is a positive number below 10^17.
    package init?(_ text: String) {
        guard let number = Int64(text), number > 0, number < 100_000_000_000_000_000 else { return nil }
        self.text = text
        milliseconds = number >= 100_000_000_000 ? number : number * 1_000
    }

    package init(milliseconds: Int64) {
        text = String(milliseconds)
        self.milliseconds = milliseconds
    }
}
