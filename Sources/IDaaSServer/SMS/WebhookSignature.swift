#if IDaaS
internal import Secrets

/// `t=…,v1=…`: when a webhook was sent, and HMAC-SHA-256 over that time and the body. A receiver makes the same of both, compares in
/// constant time, and refuses a time that is too far from its own, so that nobody sends an old message again.
package struct WebhookSignature: Sendable {
    private let key: AuthenticationKey

    package init(secret: [UInt8]) { key = AuthenticationKey(secret) }

    /// - Parameter time: NumericDate of the sending.
    package func field(at time: Int64, body: [UInt8]) -> String {
        "t=\(time),v1=\(key.code(for: Array("\(time).".utf8) + body).hexadecimal)"
    }
}
#endif
