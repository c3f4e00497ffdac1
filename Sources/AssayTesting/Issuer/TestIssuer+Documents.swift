public import JWKSCache
internal import JWTSigning
internal import Locks

// The documents of an issuer, and their answers over any transport.

extension TestIssuer {
    /// The address of its metadata (OpenID Connect Discovery section 4).
    public var metadataURL: String { identifier + "/.well-known/openid-configuration" }
    /// The address of its keys.
    public var keysURL: String { identifier + "/jwks" }

    public func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        guard serves(request.url) else { throw RequestFailure(.connection, "nothing listens") }
        switch answer(to: request) {
        case .failure(let failure): throw failure
        case .response(let response), .held(let response): return response
        case .hang: throw RequestFailure(.timedOut)
        }
    }

    /// Whether `url` is below its identifier.
    func serves(_ url: String) -> Bool { url.hasPrefix(identifier + "/") }

    /// The answer to a request in memory.
    func answer(to request: OutgoingRequest) -> ScriptedTransport.Answer {
        let response = response(to: String(request.url.dropFirst(identifier.count)), entityTag: request.entityTag)
        guard let response else { return .failure(RequestFailure(.connection, "the issuer is down")) }
        return .response(response)
    }

    /// The response to a request for `path`; nil while the issuer is down. Keys may be cached for five minutes.
    func response(to path: String, entityTag: String?) -> ReceivedResponse? {
        let now = lookUp(countingRequest: path == "/jwks")
        guard now.isUp else { return nil }
        let fields = [HeaderField("ETag", now.entityTag), HeaderField("Cache-Control", "max-age=300")]
        switch path {
        case "/.well-known/openid-configuration":
            return ReceivedResponse(status: 200, fields: Self.json, body: Array(metadata(now.algorithms).utf8))
        case "/jwks" where entityTag == now.entityTag: return ReceivedResponse(status: 304, fields: fields)
        case "/jwks": return ReceivedResponse(status: 200, fields: Self.json + fields, body: Array(now.document.utf8))
        default: return ReceivedResponse(status: 404)
        }
    }

    private static let json = [HeaderField("Content-Type", "application/json")]

    private func metadata(_ algorithms: [String]) -> String {
        let names = algorithms.map(JSONText.quoted).joined(separator: ",")
        return """
            {"issuer":\(JSONText.quoted(identifier)),"jwks_uri":\(JSONText.quoted(keysURL)),\
            "id_token_signing_alg_values_supported":[\(names)]}
            """
    }
}
