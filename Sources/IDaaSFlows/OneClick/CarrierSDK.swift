/// A carrier's SDK for one-click login, for example an adapter of ATAuthSDK. It fetches the number of the SIM card over the mobile network,
/// shows the page, and fetches the login token.
///
/// An implementation requests a token only after the user has pressed the button with the check box set.
public protocol CarrierSDK: Sendable {
    var version: String { get }

    /// Whether this device could use one-click login now: SIM card, mobile data. It asks neither the carrier nor the server.
    ///
    /// - Parameter mobile: the number to verify, on a phone with two SIM cards; nil for a login.
    /// - Returns: nil if it could, otherwise why not.
    func obstacle(for mobile: String?) -> CarrierCode?

    /// Fetches what the page shows: the masked number and the carrier's agreement. The SDK keeps it.
    func prefetch(timeout: Duration) async -> CarrierReply

    /// Shows the page until the user logs in or leaves it. The stream ends with the page. A caller that stops listening closes the page.
    func login(_ page: OneClickPage, on presenter: any OneClickPresenter, timeout: Duration) -> AsyncStream<CarrierReply>
}

/// A login token of a carrier, for one call of ``OneClickLogin/logIn(_:nonce:)``. China Mobile's lives 2 minutes, China Telecom's 10, China
/// Unicom's 30.
public struct CarrierToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let value: String
    /// When the user agreed and pressed the button, in seconds since 1970 by this machine's clock.
    public let consentedAt: Int64

    /// - Parameters:
    ///   - value: the carrier's opaque text.
    ///   - consentedAt: the record of the user's consent to the carrier's and the program's agreements.
    public init(_ value: String, consentedAt: Int64) {
        self.value = value
        self.consentedAt = consentedAt
    }

    public var description: String { "carrier token" }
    public var debugDescription: String { description }
}
