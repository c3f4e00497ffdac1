internal import HTTPTypes
internal import IDaaSWire

/// The status lists, for programs that verify id_tokens (draft-ietf-oauth-status-list-20 section 8).
package struct StatusListEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] { [Endpoint(.get, WirePath.statusList(), "statusList", statusList)] }

    private func statusList(_ exchange: Exchange) async throws -> Reply {
        // Historical resolution, which is optional: the list of another instant would answer another question.
        guard exchange.query["time"] == nil else { throw RequestRefusal.notImplemented("time") }
        guard let id = exchange.parameters["id"], let document = try await services.statusLists.document(of: id) else {
            throw RequestRefusal.notFound
        }
        let seconds = services.environment.statusLists.timeToLive.components.seconds
        var fields: HTTPFields = [.cacheControl: "public, max-age=\(seconds)", .eTag: document.entityTag]
        // Section 8.1: programs in browsers verify tokens too.
        fields[.accessControlAllowOrigin] = "*"
        guard !exchange.hasCopy(tagged: document.entityTag) else { return Reply(status: 304, fields: fields) }
        fields[.contentType] = "application/statuslist+jwt"
        return Reply(fields: fields, body: document.token)
    }
}
