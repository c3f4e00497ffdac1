package import HTTPGuard
internal import JWKSCache
internal import JWTCore

/// Pushes security event tokens over HTTP (RFC 8935).
package struct SignalPush: SignalReceiver {
    private let client: GuardedClient

    package init(client: GuardedClient) { self.client = client }

    /// Where the server may push to: https, or http on loopback.
    static func isAllowed(_ url: String) -> Bool {
        var configuration = GuardedClient.Configuration()
        configuration.allowsLoopbackHTTP = true
        // Which of these the server allows is known when it connects.
        configuration.addresses.allowsLoopback = true
        configuration.addresses.allowsPrivate = true
        return url.utf8.count <= 2_048 && configuration.permits(url)
    }

    package func take(_ token: String, at url: String, secret: String?) async -> SignalReceipt {
        var fields = [HeaderField("Content-Type", "application/secevent+jwt"), HeaderField("Accept", "application/json")]
        if let secret { fields.append(HeaderField("Authorization", "Bearer \(secret)")) }
        do throws(RequestFailure) {
            return Self.receipt(try await client.send(OutgoingRequest("POST", url: url, fields: fields, body: Array(token.utf8))))
        } catch {
            return error.reason == .cancelled ? .unsent : .failed(error.reason.rawValue)
        }
    }

    /// Only 202 says that the receiver has the token (section 2.2): a 200 may come from anything that answers at this URL.
    private static func receipt(_ response: ReceivedResponse) -> SignalReceipt {
        if response.status == 202 { return .taken }
        guard response.status == 400, let code = code(in: response.body) else {
            return .failed("status_\(response.status)", retryAfter: retryAfter(response))
        }
        // The operator mends these, and the token is good.
        return mended.contains(code) ? .failed(code) : .refused(code)
    }

    /// `err` of an answer, or `other` for a code that no specification has: nothing that a receiver writes is a label or a log line.
    private static func code(in body: [UInt8]) -> String? {
        guard let document = try? ParsedJSON(body), document.root.isObject, let code = document.root.string("err") else { return nil }
        return codes.contains(code) ? code : "other"
    }

    private static func retryAfter(_ response: ReceivedResponse) -> Duration? {
        guard let text = response.first("Retry-After"), text.utf8.count <= 5, let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 3_600))
    }

    private static let mended: Set<String> = ["authentication_failed", "access_denied"]
    /// RFC 8935 section 2.4.
    static let codes = mended.union(["invalid_request", "invalid_key", "invalid_issuer", "invalid_audience"])
}
