internal import IDaaSWire
internal import Secrets

/// `t=…,v1=…`: the time of a webhook, and HMAC-SHA-256 over that time and the body. A receiver computes the same value, compares in
/// constant time, and refuses a time that is too far from its own, which prevents replays.
package struct WebhookSignature: Sendable {
    private let key: AuthenticationKey

    package init(secret: [UInt8]) { key = AuthenticationKey(secret) }

    /// - Parameter time: NumericDate of the sending.
    package func field(at time: Int64, body: [UInt8]) -> String {
        "t=\(time),v1=\(key.code(for: Array("\(time).".utf8) + body).hexadecimal)"
    }
}
