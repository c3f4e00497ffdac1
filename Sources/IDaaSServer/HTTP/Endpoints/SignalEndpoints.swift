internal import HTTPTypes
internal import IDaaSWire
internal import Secrets

/// Shared signals: what a receiver has to know of this transmitter, and the streams that receivers poll.
package struct SignalEndpoints: EndpointGroup {
    let services: Services
    let issuer: String

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, SignalPath.configuration, "signalConfiguration", configuration),
            Endpoint(.post, SignalPath.poll(), "pollSignals", poll),
        ]
    }

    /// SSF 1.0 section 7.1: lists only what is served. Streams are made by an administrator.
    private func configuration(_ exchange: Exchange) async throws -> Reply {
        let document: JSON = [
            "spec_version": "1_0",
            "issuer": .string(issuer),
            "jwks_uri": .string(issuer + "/keys"),
            "delivery_methods_supported": ["urn:ietf:rfc:8935", "urn:ietf:rfc:8936"],
            "critical_subject_members": ["user", "session"],
            "default_subjects": "ALL",
        ]
        let text = document.bytes
        let fields: HTTPFields = [
            .cacheControl: "public, max-age=300", .eTag: "\"\(Digest256.of(text).prefix(16).hexadecimal)\"",
        ]
        guard !exchange.hasCopy(tagged: fields[.eTag] ?? "") else { return Reply(status: 304, fields: fields) }
        return .json(text: text, fields: fields)
    }

    /// RFC 8936 section 2.3.
    private func poll(_ exchange: Exchange) async throws -> Reply {
        let id = exchange.parameters["id"] ?? ""
        let stream = try await services.signalPolls.stream(id) { () throws(ServiceError) in try exchange.bearerToken(limit: 512) }
        let answer = try await services.signalPolls.answer(SignalPoll(exchange), of: stream)
        return .json([
            "sets": .object(answer.sets.map { ($0.id, .string($0.token)) }), "moreAvailable": .bool(answer.isMoreAvailable),
        ])
    }
}

/// The paths of shared signals.
enum SignalPath {
    /// The issuer's path follows the well-known one (SSF 1.0 section 7.2, RFC 8615).
    static let configuration = "/.well-known/ssf-configuration" + WirePath.issuer

    static func poll(_ id: String = "{id}") -> String { "/signals/\(id)/poll" }
}
