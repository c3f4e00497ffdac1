package import HTTPGuard
internal import IDaaSWire
internal import JWKSCache
internal import Secrets

/// Hands messages to an operator's own service: one signed POST of `{mobile, code, type, client, language, request_id}`. A 2xx means
/// success; any other answer, or none within three seconds, means failure. A message that may have arrived is never sent again.
package struct WebhookGateway: SMSGateway {
    private let client: GuardedClient
    private let url: String
    private let signature: WebhookSignature
    private let clock: any ServerClock
    private let budget: Duration

    /// - Parameter secret: shared with the receiver; at least 16 bytes.
    /// - Throws: `ConfigurationError` for an invalid URL, a secret that is too short, or trust roots that cannot be read.
    package init(
        url: String, secret: [UInt8], trustRoots: TrustRoots = .system, allowsPrivateAddresses: Bool = false, clock: any ServerClock,
        budget: Duration = .seconds(3)
    ) throws {
        try Self.check(url)
        guard secret.count >= 16 else { throw ConfigurationError("sms.webhook: the secret has less than 16 bytes") }
        self.url = url
        self.clock = clock
        self.budget = budget
        signature = WebhookSignature(secret: secret)
        var configuration = GuardedClient.Configuration()
        configuration.limits = RequestLimits(total: budget, connect: .seconds(1), bodyBytes: 65_536, redirects: 0)
        configuration.trustRoots = trustRoots
        configuration.allowsLoopbackHTTP = true
        configuration.addresses.allowsLoopback = allowsPrivateAddresses
        configuration.addresses.allowsPrivate = allowsPrivateAddresses
        do {
            client = try GuardedClient(configuration)
        } catch {
            throw ConfigurationError("sms.webhook: \(error)")
        }
    }

    /// Refuses a URL that cannot receive messages.
    static func check(_ url: String) throws(ConfigurationError) {
        guard let origin = try? Origin(url),
            origin.isSecure || origin.host == "localhost" || AddressBlock.loopback.contains(where: { $0.contains(origin.host) })
        else { throw ConfigurationError("sms.webhook: https, or http on loopback") }
    }

    package func deliver(_ message: SMSMessage) async throws {
        let body = Self.body(of: message).bytes
        let deadline = ContinuousClock.now + budget
        var wait = Duration.milliseconds(100)
        while true {
            do {
                return try await post(body, within: deadline - .now)
            } catch let failure as RequestFailure where failure.neverArrived && ContinuousClock.now + wait < deadline {
                try await Task.sleep(for: wait)
                wait *= 2
            }
        }
    }

    private func post(_ body: [UInt8], within rest: Duration) async throws {
        let fields = [
            HeaderField("Content-Type", "application/json"),
            HeaderField("X-Assay-Signature", signature.field(at: clock.now.seconds, body: body)),
        ]
        let response = try await client.send(OutgoingRequest("POST", url: url, fields: fields, body: body, timeLimit: rest))
        guard (200..<300).contains(response.status) else { throw GatewayRefusal(status: response.status) }
    }

    private static func body(of message: SMSMessage) -> JSON {
        [
            "mobile": .string(message.mobile), "code": .string(message.code), "type": .string(message.type),
            "client": .string(message.client), "language": .string(message.language.rawValue), "request_id": .string(message.requestID),
        ]
    }
}

/// An answer of the gateway that is not 2xx.
package struct GatewayRefusal: Error, Hashable, Sendable {
    package let status: Int
}

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
