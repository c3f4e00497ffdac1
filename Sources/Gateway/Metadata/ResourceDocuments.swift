internal import JWTCore

/// The metadata of the protected resources of a configuration, as it is served. Every other host, and every other path, has none here.
package struct ResourceDocuments: Sendable {
    private let documents: [Document]

    private struct Document: Sendable {
        let location: ResourceLocation
        let bytes: [UInt8]
    }

    /// - Parameters:
    ///   - configuration: has been checked.
    ///   - now: the time of signatures.
    init(_ configuration: GatewayConfiguration, at now: NumericDate) {
        documents = configuration.resources.compactMap { resource in
            let metadata = ResourceMetadata(resource, in: configuration)
            guard let location = ResourceLocation(resource.identifier), let bytes = metadata.document(at: now) else { return nil }
            return Document(location: location, bytes: bytes)
        }
    }

    /// The document that a request asks for; nil: there is none, also for a request of another host.
    ///
    /// - Parameters:
    ///   - authority: that the client asked for, with its port if it named one.
    ///   - target: path and query as the client sent them.
    package func document(authority: Span<UInt8>, target: Span<UInt8>) -> [UInt8]? {
        for document in documents where document.location.isTarget(authority, target) { return document.bytes }
        return nil
    }

    /// The same for texts.
    package func document(authority: String, target: String) -> [UInt8]? {
        let authority = Array(authority.utf8), target = Array(target.utf8)
        return document(authority: authority.span, target: target.span)
    }
}
