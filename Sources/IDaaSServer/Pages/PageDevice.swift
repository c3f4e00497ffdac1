internal import HTTPTypes

/// The identity of a browser, as `X-device-fingerprint` is an app's: a random value in a cookie. Codes, state tokens and sessions are bound
/// to it.
///
/// A cookie alone authorises nothing. Every endpoint also requires `X-client-id`, which a page of another site cannot send.
enum PageDevice {
    static let lifetime = Duration.seconds(366 * 86_400)

    /// The fingerprint of the browser that made a request; nil without the cookie, and for a request that another site caused.
    static func fingerprint(of exchange: Exchange) -> String? {
        guard [nil, "same-origin"].contains(exchange.fields[.fetchSite]) else { return nil }
        // An app cannot claim a browser's identity by chance, nor a browser an app's.
        return BrowserCookie.device.value(in: exchange).map { "browser:\($0)" }
    }
}
