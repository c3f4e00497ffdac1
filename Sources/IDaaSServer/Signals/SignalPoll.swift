internal import HTTPTypes
internal import IDaaSWire
internal import JWTCore

/// What a receiver says and asks in a poll (RFC 8936 section 2.2).
package struct SignalPoll: Hashable, Sendable {
    /// Nil: as many as the server likes.
    package var maximumEvents: Int?
    package var returnsImmediately = false
    /// The `jti` that the receiver has.
    package var taken: [String] = []
    /// The `jti` that the receiver will never take, with the reasons of RFC 8935 section 2.4, or `other`.
    package var refused: [String: String] = [:]

    package init() {}

    /// - Throws: `RequestRefusal` 415; COMMON.1002 for a body that is not a JSON object; COMMON.1007 with the member of another type.
    package init(_ exchange: Exchange) throws {
        guard JSONBody.isJSON(exchange.fields[.contentType]) else { throw RequestRefusal.unsupportedMediaType }
        guard let document = try? ParsedJSON(exchange.body, limits: .poll), document.root.isObject else {
            throw ServiceError(.invalidFormat, "body")
        }
        do {
            try self.init(document.decode(Body.self))
        } catch let error as DecodingError {
            throw ServiceError(.invalidType, error.member)
        }
    }

    private init(_ body: Body) throws(ServiceError) {
        guard body.maxEvents ?? 0 >= 0 else { throw ServiceError(.invalidType, "maxEvents") }
        maximumEvents = body.maxEvents
        returnsImmediately = body.returnImmediately ?? false
        taken = body.ack ?? []
        refused = (body.setErrs ?? [:]).mapValues { SignalPush.codes.contains($0.err) ? $0.err : "other" }
    }

    private struct Body: Decodable {
        var maxEvents: Int?
        var returnImmediately: Bool?
        var ack: [String]?
        var setErrs: [String: Report]?

        struct Report: Decodable { var err: String }
    }
}

extension DecodingError {
    /// The member of the body that is of another type.
    fileprivate var member: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.first?.stringValue ?? "body"
        @unknown default: "body"
        }
    }
}

extension JSONLimits {
    /// As many acknowledgements as an answer has tokens.
    fileprivate static let poll = JSONLimits(depth: 4, members: 1_024, values: 4_096, stringBytes: 4_096, numberBytes: 64)
}
