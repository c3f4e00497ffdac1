internal import HTTPEdge
package import HTTPGuard
internal import JWKSCache

/// Fetches client metadata documents (draft-ietf-oauth-client-id-metadata-document).
package protocol ClientDocuments: Sendable {
    /// The bytes of the document at a URL, and how long they may be kept.
    ///
    /// - Throws: ``UpstreamFailure`` for every answer but a JSON document.
    func document(at url: String) async throws(UpstreamFailure) -> (text: [UInt8], lifetime: Duration)
}

/// Fetches them with a client that dials public addresses only, follows no redirect, and bounds size and time.
package struct FetchedDocuments: ClientDocuments {
    private let client: GuardedClient

    package init(client: GuardedClient) { self.client = client }

    package static let limits = RequestLimits(total: .seconds(5), connect: .seconds(2), bodyBytes: 16_384, redirects: 0)

    package func document(at url: String) async throws(UpstreamFailure) -> (text: [UInt8], lifetime: Duration) {
        let response: ReceivedResponse
        do throws(RequestFailure) {
            response = try await client.send(OutgoingRequest("GET", url: url, fields: [HeaderField("Accept", "application/json")]))
        } catch {
            throw UpstreamFailure(.unavailable, error.reason.rawValue, neverArrived: true)
        }
        guard response.status == 200 else { throw UpstreamFailure(.unavailable, "status_\(response.status)", neverArrived: false) }
        let type = response.first("Content-Type")?.split(separator: ";").first.map { String($0).trimmed.lowercased() } ?? ""
        guard type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json") else {
            throw UpstreamFailure(.unavailable, "content_type", neverArrived: false)
        }
        return (response.body, Self.lifetime(response.first("Cache-Control")))
    }

    /// `max-age` (RFC 9111 section 5.2.2.1), at least five minutes and at most a day: its publisher decides neither how often this server
    /// asks nor that it never asks again.
    static func lifetime(_ field: String?) -> Duration {
        let directives = (field ?? "").lowercased().split(separator: ",").map { String($0).trimmed }
        let seconds = directives.first { $0.hasPrefix("max-age=") }.flatMap { Int($0.dropFirst(8).filter { $0 != "\"" }) }
        return .seconds(min(max(seconds ?? 3_600, 300), 86_400))
    }
}

/// The URL that names a client (section 3 of the draft).
enum ClientDocumentURL {
    /// Whether a `client_id` is meant as a URL. No other client has one with a colon.
    static func isMeant(_ id: String) -> Bool { id.contains("://") }

    /// https with a path, without dot segments, a query, a fragment or a user.
    static func isAllowed(_ url: String) -> Bool {
        guard url.hasPrefix("https://"), url.utf8.count <= longest, !url.contains("?"), !url.contains("#"), !url.contains("\\"),
            GuardedClient.Configuration.ofNames.permits(url)
        else { return false }
        let path = url.dropFirst(8).drop { $0 != "/" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.lowercased().replacing("%2e", with: ".") }
        return path.utf8.count > 1 && !segments.contains(".") && !segments.contains("..")
    }

    /// Bytes: those of `X-client-id`.
    private static let longest = 128

    /// The host that users are shown.
    static func host(of url: String) -> String? { RedirectAddress.host(of: url) }
}

extension GuardedClient.Configuration {
    /// Which addresses the server allows is known when it connects.
    fileprivate static var ofNames: Self {
        var configuration = Self()
        configuration.addresses.allowsLoopback = true
        configuration.addresses.allowsPrivate = true
        return configuration
    }
}
